// Runs the tests of http-tests/cache-tests in the form for browsers, and sends their requests through a bridge:
//     node cache-tests.mjs CHECKOUT PORT BRIDGE
// CHECKOUT is a copy of the suite, and PORT a free port for its server. BRIDGE is the URL of a server that receives a request
// as JSON, sends it, and returns the response as JSON. Prints one JSON array with the kind and the result of each test.
import http from 'node:http'
import process from 'node:process'

const [checkout, port, bridge] = process.argv.slice(2)
const base = `http://127.0.0.1:${port}`
Object.assign(process.env, {
  npm_config_protocol: 'http', npm_config_port: port, npm_config_pidfile: '/dev/null'
})

// The suite's server would listen on all addresses.
const listen = http.Server.prototype.listen
http.Server.prototype.listen = function (port) { return listen.call(this, port, '127.0.0.1') }

// The suite also uses `fetch` to tell its server about a test. These calls do not go through the bridge.
const sendDirectly = globalThis.fetch
globalThis.fetch = async (url, init = {}) => {
  if (!url.startsWith(`${base}/test/`)) return sendDirectly(url, init)
  const { signal, ...request } = init
  const response = await sendDirectly(bridge, { method: 'POST', body: JSON.stringify({ ...request, url }), signal })
  const { status, fields, body, failure } = await response.json()
  if (failure) throw new TypeError(failure)
  return { status, headers: new Headers(fields), text: async () => body }
}

const load = path => import(`${checkout}/${path}`)
const log = console.log
console.log = console.error
await load('test-engine/server/server.mjs')
const { runTests, getResults } = await load('test-engine/client/runner.mjs')
const { determineTestResult, resultTypes } = await load('test-engine/lib/results.mjs')
const suites = (await load('tests/index.mjs')).default
await runTests(suites, true, base)

const results = getResults()
const names = new Map(Object.entries(resultTypes).map(([name, type]) => [type, name]))
log(JSON.stringify(suites.flatMap(suite => suite.tests).filter(test => test.id in results).map(test => ({
  id: test.id,
  kind: test.kind ?? 'required',
  result: names.get(determineTestResult(suites, test.id, results)),
  reason: results[test.id][1] ?? ''
}))))
process.exit(0)
