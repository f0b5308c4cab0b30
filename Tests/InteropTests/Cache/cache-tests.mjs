// Runs the tests of http-tests/cache-tests for a browser's cache, with a client that a bridge stands for:
//     node cache-tests.mjs CHECKOUT PORT BRIDGE
// CHECKOUT is a copy of the suite, PORT a free port for its server. BRIDGE is a URL that takes a request as JSON, sends it,
// and returns the response as JSON. Prints the results as JSON: the kind of each test, and its result in a word.
import process from 'node:process'

const [checkout, port, bridge] = process.argv.slice(2)
const base = `http://127.0.0.1:${port}`
Object.assign(process.env, {
  npm_config_protocol: 'http', npm_config_port: port, npm_config_pidfile: '/dev/null'
})

// The suite reports to its server in the same way as it sends the requests of its tests.
const sendDirectly = globalThis.fetch
globalThis.fetch = async (url, init = {}) => {
  if (!url.startsWith(`${base}/test/`)) return sendDirectly(url, init)
  const { signal, ...request } = init
  const answer = await sendDirectly(bridge, { method: 'POST', body: JSON.stringify({ ...request, url }), signal })
  const { status, fields, body, failure } = await answer.json()
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
