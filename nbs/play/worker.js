// The worker of the page: Python with the environment, and the models. It gets {id, method, args}
// and posts {id, value} or {id, error}; while it works, also {beat} and {progress}.
import {PYODIDE, startPython} from './start.js'
import {loadAgent} from './agent.js'

const here = name => new URL(name, import.meta.url).href
const post = message => self.postMessage(message)

// Downloads -------------------------------------------------------------------------------------

/** The bytes of a reply as they come. */
async function read(reply, onBytes) {
  const chunks = [], reader = reply.body.getReader()
  for (let part; !(part = await reader.read()).done;) {
    chunks.push(part.value)
    onBytes(part.value.length)
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer())
}

/** Whether bytes have a hash such as 'sha384-…'. */
async function agrees(bytes, hash) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-384', bytes))
  return hash === `sha384-${btoa(String.fromCharCode(...digest))}`
}

/** A file, checked against its hash. Where the page has no cryptography, the browser checks. */
async function download(url, onBytes, hash) {
  const ours = hash && self.crypto?.subtle
  const reply = await fetch(url, hash && !ours ? {integrity: hash} : {}).catch(error => {
    throw new Error(`${url} could not be fetched: ${error.message}.`)
  })
  if (!reply.ok) throw new Error(`${url} could not be fetched: ${reply.status}.`)
  const bytes = await read(reply, onBytes)
  if (ours && !await agrees(bytes, hash)) throw new Error(`${url} is not the file that was pinned.`)
  return bytes
}

/** Count what has come of a number of bytes, and tell the page. */
function counter(total) {
  let done = 0
  return bytes => {
    done += bytes
    post({progress: Math.min(1, done / total)})
  }
}

// Python ----------------------------------------------------------------------------------------

/** A module from bytes that were checked. */
const moduleOf = bytes =>
  import(URL.createObjectURL(new Blob([bytes], {type: 'text/javascript'})))

/** What Pyodide fetches by itself comes from the bytes that are here. */
function serve(url, bytes, type) {
  const fetched = self.fetch
  self.fetch = (address, options) => String(address) === url ?
    Promise.resolve(new Response(bytes, {headers: {'content-type': type}})) :
    fetched(address, options)
}

let python

async function start() {
  const names = Object.entries(PYODIDE.files)
  const sum = names.reduce((n, [, [bytes]]) => n + bytes, 0)
  const count = counter(sum * 1.07)  // with the archive
  const wanted = names.map(([name, [, hash]]) => download(PYODIDE.base + name, count, hash))
  const [loader, glue, wasm, library, archive] =
    await Promise.all([...wanted, download(here('assets/sqlenv.zip'), count)])
  serve(`${PYODIDE.base}pyodide.asm.wasm`, wasm, 'application/wasm')
  const {loadPyodide} = await moduleOf(loader)
  python = await startPython(loadPyodide, {
    indexURL: PYODIDE.base,
    createPyodideModule: (await moduleOf(glue)).default,
    stdLibURL: URL.createObjectURL(new Blob([library])),
  }, archive, () => post({beat: true}))
  return python.ask('catalogue')
}

let own = '', files = 0  // the reader's file that is open, and how many there were

/** The reader's own file: into Python's memory. One that is refused leaves the one before open. */
async function openFile(file) {
  const {FS} = python.pyodide, folder = `/own/${++files}`
  const name = file.name.replace(/[/\\\0]/g, '_').replace(/^\.+/, '') || 'database'
  const path = `${folder}/${name}`
  FS.mkdirTree(folder)
  FS.writeFile(path, new Uint8Array(await file.arrayBuffer()))
  let found
  try {
    found = python.ask('open_own', {path})
  } catch (error) {
    FS.unlink(path)
    throw error
  }
  if (own) FS.unlink(own)
  own = path
  return found
}

// Models ----------------------------------------------------------------------------------------

const agents = {}  // name of a model -> its agent
const turns = {}  // player -> {model, conversation, options, tokens: generator, max}
let settings

/** Undo pack_weights of tools/play_page.py. */
async function unpackWeights(packed) {
  const gunzip = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const planes = new Uint8Array(await new Response(gunzip).arrayBuffer())
  const weights = new Uint8Array(planes.length), n = planes.length / 4
  for (let i = 0, at = 0; i < n; i++)
    for (let plane = 0; plane < 4; plane++) weights[at++] = planes[plane * n + i]
  return weights.buffer
}

async function loadModels(names) {
  settings ??= JSON.parse(new TextDecoder().decode(await download(here('models/agent.json'), () => {})))
  const missing = names.filter(name => !agents[name])
  const count = counter(missing.reduce((n, name) => n + settings.bytes[name], 0))
  await Promise.all(missing.map(async name => {
    const packed = await download(here(`models/${name}.gz`), count)
    agents[name] = await loadAgent({
      'config.json': settings.config,
      'tokenizer.json': settings.tokenizer,
      'tokenizer_config.json': settings.tokenizer_config,
      'model.safetensors': await unpackWeights(packed),
    }, {library: here('assets/tokenizers.js')})
  }))
  python.useModel(settings, Object.values(agents)[0])
  return {models: settings.models, run: settings.run, temperature: settings.temperature}
}

/** Begin the next turn of a model's episode. */
function turnOf(player, {conversation, max_new_tokens: maxTokens}) {
  const turn = turns[player]
  turn.tokens = agents[turn.model].generate([conversation], {...turn.options, maxTokens})
}

const methods = {
  start,
  open: openFile,
  load_models: loadModels,

  begin_agent(player, model, options, asked) {
    const state = python.ask('begin_agent', {player, name: settings.models[model], ...asked})
    turns[player] = {model, options}
    turnOf(player, state)
    return state
  },

  /** The next token, or what the turn did when it is complete. */
  async next(player) {
    const {value, done} = await turns[player].tokens.next()
    if (!done) return {token: value}
    const state = python.ask('reply', {player, ids: value.ids})
    if (state.goes_on) turnOf(player, state)
    return {state}
  },

  ask: (method, args) => python.ask(method, args),
}

self.onmessage = async ({data: {id, method, args}}) => {
  try {
    post({id, value: await methods[method](...args)})
  } catch (error) {
    post({id, error: error.message})
  }
}
