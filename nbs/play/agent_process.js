// An agent as a process, for tests: a line of JSON in, {method, args}, a line of JSON out.
import {readFile} from 'node:fs/promises'
import {createInterface} from 'node:readline'
import {loadAgent, uniform} from './agent.js'

let agent, tokensRead = 0

/** `fetch` for files on disk. */
async function fetchFile(path) {
  const bytes = await readFile(path).catch(() => null)
  return {
    ok: Boolean(bytes),
    status: bytes ? 200 : 404,
    json: async () => JSON.parse(bytes),
    arrayBuffer: async () => new Uint8Array(bytes).buffer,
  }
}

const methods = {
  async load(folder) {
    agent = await loadAgent(folder, {fetch: fetchFile})
    const {model} = agent, read = model.read.bind(model)
    model.read = (ids, wantLogits) => {
      tokensRead += ids.length
      read(ids, wantLogits)
    }
  },
  forget() {
    agent.cached.length = agent.model.length = 0
  },
  tokensRead: () => tokensRead,
  tokenize: texts => texts.map(text => agent.tokenize(text)),
  decode: (lists, options) => lists.map(ids => agent.decode(ids, options)),
  uniform: pairs => pairs.map(pair => uniform(...pair)),

  /** Logits after these ids, which are read so many at once. */
  logits(ids, size) {
    methods.forget()
    for (let at = 0; at < ids.length; at += size) agent.model.read(ids.slice(at, at + size), true)
    return [...agent.model.logits]
  },

  /** A turn: its tokens as they were yielded, and what was returned. */
  async generate(conversation, options, abortAfter) {
    const ending = new AbortController()
    const turn = agent.generate(conversation, options, ending.signal), tokens = []
    for (;;) {
      const {value, done} = await turn.next()
      if (done) return {tokens, ...value}
      if (tokens.push(value) === abortAfter) ending.abort(new Error('The reader has stopped it.'))
    }
  },

  /** One token of each of many seeds. */
  async draws(conversation, options, seeds) {
    const ids = []
    for (let seed = 0; seed < seeds; seed++)
      for await (const token of agent.generate(conversation, {...options, seed, maxTokens: 1}))
        ids.push(token.id)
    return ids
  },

  /** Two turns at the same time. */
  async together(conversation, options) {
    const first = agent.generate(conversation, options), second = agent.generate([3], options)
    await first.next()
    await second.next()
    await first.next()
  },
}

for await (const line of createInterface({input: process.stdin})) {
  const {method, args} = JSON.parse(line), before = process.cpuUsage()
  let reply
  try {
    reply = {value: await methods[method](...args) ?? null}
  } catch (error) {
    reply = {error: error.message}
  }
  const {user, system} = process.cpuUsage(before)
  console.log(JSON.stringify({...reply, seconds: (user + system) / 1e6}))
}
