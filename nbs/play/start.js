// Python with the environment in it, in WebAssembly: for the worker of the page, and for Node.

// What npm's package `pyodide` holds: bytes, the hash that a file must have, bytes as transferred.
export const PYODIDE = {
  base: 'https://cdn.jsdelivr.net/npm/pyodide@314.0.7/',
  files: {
    'pyodide.mjs': [17931,
      'sha384-Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg', 7190],
    'pyodide.asm.mjs': [1250344,
      'sha384-/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa', 260720],
    'pyodide.asm.wasm': [9598218,
      'sha384-y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu', 3542413],
    'python_stdlib.zip': [2545637,
      'sha384-xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767', 2501808],
  },
}

// No package beside Python itself: sqlenv, fastcore, sqlglot and yaml come in an archive.
const INFO = {
  abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten_5_0_3', python: '3.14.2',
}
const LOCK = {info: INFO, packages: {}}

const BRIDGE = `
import json, sys
sys.path.insert(0, "/play")
from page_environment import BrowserEnvironment
import play_host
page = BrowserEnvironment(beat=play_host.beat)
page.call
`

const MODEL = `
page.use_model(
    json.loads(play_host.settings),
    lambda text: json.loads(play_host.tokenize(text)),
    lambda ids, special: play_host.decode(json.dumps(ids), special),
)
`

/**
 * Start Python.
 *
 * loadPyodide: of Pyodide's module
 * options: for it, such as indexURL
 * archive: ArrayBuffer of sqlenv.zip
 * beat: called often while a query runs
 */
export async function startPython(loadPyodide, options, archive, beat) {
  const pyodide = await loadPyodide({...options, lockFileContents: LOCK})
  pyodide.unpackArchive(archive, 'zip', {extractDir: '/play'})
  const host = {beat}  // what Python may import of JavaScript
  pyodide.registerJsModule('play_host', host)
  const call = pyodide.runPython(BRIDGE)

  /** Call a method of BrowserEnvironment. Throws its sentence. */
  const ask = (method, args = {}) => {
    const {value, error} = JSON.parse(call(JSON.stringify({method, args})))
    if (error) throw new Error(error)
    return value
  }

  /** Let a model play: settings as in agent.json, tokenize and decode of agent.js. */
  const useModel = (settings, agent) => {
    host.settings = JSON.stringify(settings)
    host.tokenize = text => JSON.stringify(agent.tokenize(text))
    host.decode = (ids, special) => agent.decode(JSON.parse(ids), {special})
    pyodide.runPython(MODEL)
  }

  return {pyodide, ask, useModel}
}
