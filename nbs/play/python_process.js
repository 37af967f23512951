// The Python of the page as a process of Node, for tests: a line of JSON in, {code, data}, a line out.
//   node python_process.js sqlenv.zip
// `code` finds `data`, a text, and leaves what it found in `result`.
import {readFile} from 'node:fs/promises'
import {createInterface} from 'node:readline'
import {loadPyodide} from 'pyodide'
import {startPython} from './start.js'

const archive = new Uint8Array(await readFile(process.argv[2]))
let beats = 0
const {pyodide} = await startPython(loadPyodide, {}, archive, () => { beats++ })

for await (const line of createInterface({input: process.stdin})) {
  const {code, data} = JSON.parse(line)
  let reply
  try {
    pyodide.globals.set('data', data)
    pyodide.runPython(code)
    reply = {value: pyodide.runPython('json.dumps(result)'), beats}
  } catch (error) {
    reply = {error: error.message.slice(-1500)}
  }
  console.log(JSON.stringify(reply))
}
