// A trained agent in JavaScript: for a module worker of a browser, and for Node 20 or newer.
//
//   import {loadAgent} from './agent.js'
//   const agent = await loadAgent('models/grpo/')
//   for await (const token of agent.generate(prompt, {maxTokens: 112})) show(token.text)
//
// The prompt, and the frame around each tool result, are texts or ids that Python wrote.
// It reads what `save_pretrained` wrote for a model of Qwen3's architecture, and computes as
// PyTorch does: the weights in float32, sums in float64. See tests/test_agent_js.py.

const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'model.safetensors']
const AT_ONCE = 16  // tokens that a forward pass reads together

// Tensors ---------------------------------------------------------------------------------------

/** The numbers of a bfloat16 tensor: the upper halves of float32. */
function fromBfloat16(halves) {
  const bits = new Uint32Array(halves.length)
  for (let i = 0; i < halves.length; i++) bits[i] = halves[i] << 16
  return new Float32Array(bits.buffer)
}

/** A safetensors file -> Map of name -> {shape, data: Float32Array}. Throws what is wrong. */
export function readSafetensors(buffer) {
  const broken = why => new Error(`model.safetensors cannot be read: ${why}.`)
  if (buffer.byteLength < 8) throw broken('it is empty')
  const headerSize = Number(new DataView(buffer).getBigUint64(0, true)), start = 8 + headerSize
  if (start > buffer.byteLength) throw broken('it is cut short, or no such file')
  let header
  try {
    header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, headerSize)))
  } catch {
    throw broken('its header is no JSON')
  }
  const found = new Map()
  for (const [name, {dtype, shape, data_offsets: ends}] of Object.entries(header)) {
    if (name === '__metadata__') continue
    if (start + ends[1] > buffer.byteLength) throw broken('it is cut short')
    const size = {F32: 4, BF16: 2}[dtype]
    if (!size) throw broken(`${name} is ${dtype}; F32 and BF16 can be read`)
    const count = shape.reduce((a, b) => a * b, 1)
    if (count * size !== ends[1] - ends[0]) throw broken(`${name} has not the size of its shape`)
    const bytes = buffer.slice(start + ends[0], start + ends[1])  // a copy, so that it is aligned
    const data = size === 4 ? new Float32Array(bytes) : fromBfloat16(new Uint16Array(bytes))
    found.set(name, {shape, data})
  }
  return found
}

/**
 * out[o + r] = the sum over i of w[at + r · stride + i] · x[from + i], for each row r.
 * Four rows at a time: it is the whole cost of the model, and this is what V8 computes fastest.
 */
function products(out, o, x, from, w, at, stride, rows, columns) {
  let r = 0
  for (; r + 3 < rows; r += 4) {
    const w0 = at + r * stride, w1 = w0 + stride, w2 = w1 + stride, w3 = w2 + stride
    let a = 0, b = 0, c = 0, d = 0
    for (let i = 0; i < columns; i++) {
      const value = x[from + i]
      a += w[w0 + i] * value
      b += w[w1 + i] * value
      c += w[w2 + i] * value
      d += w[w3 + i] * value
    }
    out[o + r] = a
    out[o + r + 1] = b
    out[o + r + 2] = c
    out[o + r + 3] = d
  }
  for (; r < rows; r++) {
    let sum = 0
    for (let i = 0; i < columns; i++) sum += w[at + r * stride + i] * x[from + i]
    out[o + r] = sum
  }
}

/** A linear layer: out[token] = weight · x[token] + bias; weight has a row for each output. */
function multiply(out, x, {weight, bias, rows, columns}, tokens) {
  for (let t = 0; t < tokens; t++) {
    products(out, t * rows, x, t * columns, weight, 0, columns, rows, columns)
    if (bias) for (let r = 0; r < rows; r++) out[t * rows + r] += bias[r]
  }
}

/** RMSNorm of `groups` stretches, each as long as `scale`; out may be x. */
function normalize(out, x, scale, groups, epsilon) {
  const n = scale.length
  for (let g = 0; g < groups; g++) {
    let sum = 0
    for (let i = g * n; i < g * n + n; i++) sum += x[i] * x[i]
    const factor = 1 / Math.sqrt(sum / n + epsilon)
    for (let i = 0; i < n; i++) out[g * n + i] = scale[i] * x[g * n + i] * factor
  }
}

/** Add y to x. */
function add(x, y, n) {
  for (let i = 0; i < n; i++) x[i] += y[i]
}

// The model -------------------------------------------------------------------------------------

/** What a config.json must say for this code to be right. Throws a sentence otherwise. */
function checkConfig(config) {
  const says = (name, value) => {
    throw new Error(`This agent runs Qwen3 models; config.json says ${name}: ${value}.`)
  }
  if (config.model_type !== 'qwen3') says('model_type', config.model_type)
  if (config.hidden_act !== 'silu') says('hidden_act', config.hidden_act)
  const kinds = config.layer_types ?? []
  if (config.use_sliding_window || kinds.some(kind => kind !== 'full_attention'))
    says('attention', 'with a sliding window')
  const rope = config.rope_parameters ?? config.rope_scaling ?? {}
  if ((rope.rope_type ?? 'default') !== 'default') says('rope_type', rope.rope_type)
}

/** Qwen3 with a KV cache for one conversation. */
export class Qwen3 {
  constructor(config, tensors) {
    checkConfig(config)
    this.hidden = config.hidden_size
    this.inner = config.intermediate_size
    this.heads = config.num_attention_heads
    this.kvHeads = config.num_key_value_heads
    this.headDim = config.head_dim ?? this.hidden / this.heads
    this.epsilon = config.rms_norm_eps
    this.vocabulary = config.vocab_size
    this.longest = config.max_position_embeddings  // tokens of a conversation
    this.theta = config.rope_parameters?.rope_theta ?? config.rope_theta
    this.length = 0  // tokens in the cache
    this.capacity = 0  // tokens that it has room for
    this.readWeights(config, tensors)
    this.makeBuffers()
  }

  readWeights(config, tensors) {
    const {hidden, inner, headDim} = this
    const [wide, narrow] = [this.heads * headDim, this.kvHeads * headDim]
    const take = (name, ...shape) => {
      const found = tensors.get(name)
      if (!found) throw new Error(`model.safetensors holds no ${name}.`)
      if (found.shape.join() !== shape.join())
        throw new Error(`${name} has the shape ${found.shape}; config.json asks for ${shape}.`)
      return found.data
    }
    const linear = (name, rows, columns, biased = false) => ({
      weight: take(`${name}.weight`, rows, columns),
      bias: biased ? take(`${name}.bias`, rows) : null,
      rows,
      columns,
    })
    const biased = config.attention_bias ?? false
    const embedding = linear('model.embed_tokens', this.vocabulary, hidden)
    this.embedding = embedding.weight
    this.head = config.tie_word_embeddings ? embedding : linear('lm_head', this.vocabulary, hidden)
    this.norm = take('model.norm.weight', hidden)
    this.layers = []
    for (let i = 0; i < config.num_hidden_layers; i++) {
      const at = `model.layers.${i}.`, attention = `${at}self_attn.`
      this.layers.push({
        before: take(`${at}input_layernorm.weight`, hidden),
        q: linear(`${attention}q_proj`, wide, hidden, biased),
        k: linear(`${attention}k_proj`, narrow, hidden, biased),
        v: linear(`${attention}v_proj`, narrow, hidden, biased),
        o: linear(`${attention}o_proj`, hidden, wide, biased),
        qNorm: take(`${attention}q_norm.weight`, headDim),
        kNorm: take(`${attention}k_norm.weight`, headDim),
        after: take(`${at}post_attention_layernorm.weight`, hidden),
        gate: linear(`${at}mlp.gate_proj`, inner, hidden),
        up: linear(`${at}mlp.up_proj`, inner, hidden),
        down: linear(`${at}mlp.down_proj`, hidden, inner),
        keys: new Float32Array(0),  // of the cache: [token][head and dimension]
        values: new Float32Array(0),  // [head and dimension][token], as each is summed over tokens
      })
    }
  }

  makeBuffers() {
    const floats = n => new Float32Array(AT_ONCE * n)
    this.x = floats(this.hidden)  // the residual stream
    this.y = floats(this.hidden)
    this.q = floats(this.heads * this.headDim)
    this.mixed = floats(this.heads * this.headDim)
    this.k = floats(this.kvHeads * this.headDim)
    this.v = floats(this.kvHeads * this.headDim)
    this.gate = floats(this.inner)
    this.up = floats(this.inner)
    this.logits = new Float32Array(this.vocabulary)
    this.frequency = new Float32Array(this.headDim / 2)
    for (let i = 0; i < this.frequency.length; i++)
      this.frequency[i] = 1 / Math.fround(this.theta ** Math.fround(2 * i / this.headDim))
  }

  /** Make room for so many tokens. */
  reserve(tokens) {
    if (tokens > this.longest)
      throw new Error(`The conversation is too long: the model reads ${this.longest} tokens.`)
    if (tokens <= this.capacity) return
    const before = this.capacity, width = this.kvHeads * this.headDim
    const capacity = Math.min(this.longest, Math.max(tokens, 2 * before, 256))
    for (const layer of this.layers) {
      const keys = new Float32Array(capacity * width), values = new Float32Array(capacity * width)
      keys.set(layer.keys)
      for (let i = 0; i < width; i++)
        values.set(layer.values.subarray(i * before, (i + 1) * before), i * capacity)
      Object.assign(layer, {keys, values})
    }
    this.capacity = capacity
    this.scores = new Float32Array(capacity)
    const half = this.headDim / 2
    this.cos = new Float32Array(this.capacity * half)
    this.sin = new Float32Array(this.capacity * half)
    for (let position = 0; position < this.capacity; position++)
      for (let i = 0; i < half; i++) {
        const angle = Math.fround(position * this.frequency[i])  // as float32, like PyTorch
        this.cos[position * half + i] = Math.cos(angle)
        this.sin[position * half + i] = Math.sin(angle)
      }
  }

  /** Read at most AT_ONCE tokens after those in the cache; whether logits are wanted. */
  read(ids, wantLogits) {
    const tokens = ids.length, {hidden, inner, heads, kvHeads, x, y} = this
    this.reserve(this.length + tokens)
    for (let t = 0; t < tokens; t++) {
      const from = ids[t] * hidden
      x.set(this.embedding.subarray(from, from + hidden), t * hidden)
    }
    for (const layer of this.layers) {
      normalize(y, x, layer.before, tokens, this.epsilon)
      multiply(this.q, y, layer.q, tokens)
      multiply(this.k, y, layer.k, tokens)
      multiply(this.v, y, layer.v, tokens)
      normalize(this.q, this.q, layer.qNorm, tokens * heads, this.epsilon)
      normalize(this.k, this.k, layer.kNorm, tokens * kvHeads, this.epsilon)
      this.rotate(this.q, tokens, heads)
      this.rotate(this.k, tokens, kvHeads)
      this.store(layer, tokens)
      this.attend(layer, tokens)
      multiply(y, this.mixed, layer.o, tokens)
      add(x, y, tokens * hidden)
      normalize(y, x, layer.after, tokens, this.epsilon)
      multiply(this.gate, y, layer.gate, tokens)
      multiply(this.up, y, layer.up, tokens)
      for (let i = 0; i < tokens * inner; i++)
        this.gate[i] *= this.up[i] / (1 + Math.exp(-this.gate[i]))
      multiply(y, this.gate, layer.down, tokens)
      add(x, y, tokens * hidden)
    }
    this.length += tokens
    if (!wantLogits) return
    normalize(y, x.subarray((tokens - 1) * hidden), this.norm, 1, this.epsilon)
    multiply(this.logits, y, this.head, 1)
  }

  /** Rotary positions: turn each pair (i, i + half) of each head by its angle. */
  rotate(x, tokens, heads) {
    const half = this.headDim / 2
    for (let t = 0; t < tokens; t++)
      for (let h = 0; h < heads; h++) {
        const at = (t * heads + h) * this.headDim, angle = (this.length + t) * half
        for (let i = 0; i < half; i++) {
          const cos = this.cos[angle + i], sin = this.sin[angle + i]
          const a = x[at + i], b = x[at + half + i]
          x[at + i] = a * cos - b * sin
          x[at + half + i] = b * cos + a * sin
        }
      }
  }

  /** Put the keys and values of new tokens into the cache. */
  store({keys, values}, tokens) {
    const width = this.kvHeads * this.headDim
    keys.set(this.k.subarray(0, tokens * width), this.length * width)
    for (let t = 0; t < tokens; t++)
      for (let i = 0; i < width; i++)
        values[i * this.capacity + this.length + t] = this.v[t * width + i]
  }

  /** Each head mixes the values of the tokens up to its own; several heads share keys. */
  attend({keys, values}, tokens) {
    const {heads, kvHeads, headDim, scores, capacity} = this
    const width = kvHeads * headDim, scale = 1 / Math.sqrt(headDim)
    for (let t = 0; t < tokens; t++)
      for (let h = 0; h < heads; h++) {
        const seen = this.length + t + 1, at = (t * heads + h) * headDim
        const shared = Math.floor(h * kvHeads / heads) * headDim
        products(scores, 0, this.q, at, keys, shared, width, seen, headDim)
        let most = -Infinity, total = 0
        for (let j = 0; j < seen; j++) if (scores[j] > most) most = scores[j]
        for (let j = 0; j < seen; j++) total += scores[j] = Math.exp((scores[j] - most) * scale)
        for (let j = 0; j < seen; j++) scores[j] /= total
        products(this.mixed, at, scores, 0, values, shared * capacity, capacity, headDim, seen)
      }
  }
}

// Drawing a token -------------------------------------------------------------------------------

/** A number in [0, 1) that depends on these two alone: so each token of a seed has its own. */
export function uniform(seed, position) {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35)
  const mix = () => {  // a round of lowbias32, whose bits depend on all of its input
    h = Math.imul(h ^ h >>> 16, 0x7feb352d)
    h = Math.imul(h ^ h >>> 15, 0x846ca68b)
    return (h ^= h >>> 16) >>> 0
  }
  return (mix() * 2 ** 21 + (mix() >>> 11)) / 2 ** 53
}

/** Logits -> probabilities, in place of a Float64Array of the same length. */
function softmax(logits, temperature, out) {
  let most = -Infinity, total = 0
  for (let i = 0; i < logits.length; i++) if (logits[i] > most) most = logits[i]
  for (let i = 0; i < logits.length; i++)
    total += out[i] = Math.exp((logits[i] - most) / temperature)
  for (let i = 0; i < logits.length; i++) out[i] /= total
}

/** The ids of the n most probable tokens, the best first; the lower id where two are equal. */
function best(probabilities, n) {
  const found = []
  for (let id = 0; id < probabilities.length; id++) {
    const p = probabilities[id]
    if (found.length === n && p <= probabilities[found[n - 1]]) continue
    let at = found.length
    while (at && p > probabilities[found[at - 1]]) at--
    found.splice(at, 0, id)
    if (found.length > n) found.pop()
  }
  return found
}

/** The token at which the sum of the probabilities passes u. */
function draw(probabilities, u) {
  let id = 0
  for (let sum = probabilities[0]; sum <= u && id < probabilities.length - 1;)
    sum += probabilities[++id]
  return id
}

// The agent -------------------------------------------------------------------------------------

/** Let the events of the page or worker run: setTimeout would wait 4 ms. */
function breathe() {
  return new Promise(resolve => {
    const {port1, port2} = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(0)
  })
}

export class Agent {
  constructor(config, model, tokenizer) {
    this.config = config
    this.model = model
    this.tokenizer = tokenizer
    this.cached = []  // the ids in the model's cache
    this.turn = null  // the turn that is being generated
    this.probabilities = new Float64Array(model.vocabulary)
  }

  /** Text -> ids, special tokens read as such. */
  tokenize(text) {
    return this.tokenizer.encode(text, {add_special_tokens: false}).ids
  }

  /** Ids -> text; `special` keeps the special tokens, such as <|im_end|>. */
  decode(ids, {special = false} = {}) {
    return ids.length ? this.tokenizer.decode([...ids], {skip_special_tokens: !special}) : ''
  }

  /** A conversation, as for `generate`, -> ids. */
  ids(conversation) {
    const parts = [conversation].flat(2)
    return parts.flatMap(part => typeof part === 'string' ? this.tokenize(part) : part)
  }

  /** Bring the cache to a conversation: what it shares with the one before is not read again. */
  async prefill(ids, turn, signal) {
    if (!ids.length) throw new Error('A conversation needs at least one token.')
    const unknown = ids.find(id => !(id in this.probabilities))
    if (unknown !== undefined) throw new Error(`The model has no token ${unknown}.`)
    let same = 0
    while (same < ids.length - 1 && ids[same] === this.cached[same]) same++
    this.cached.length = this.model.length = same
    for (let at = same; at < ids.length; at += AT_ONCE) {
      const next = ids.slice(at, at + AT_ONCE)
      this.model.read(next, at + AT_ONCE >= ids.length)
      this.cached.push(...next)
      await this.pause(turn, signal)
    }
  }

  /** Let others run for a moment, every 16 ms; end when the signal says so. */
  async pause(turn, signal) {
    if (performance.now() - turn.rested > 16) {
      await breathe()
      turn.rested = performance.now()
    }
    signal?.throwIfAborted()
    if (this.turn !== turn) throw new Error('Another turn has begun; an agent makes one at a time.')
  }

  /**
   * Continue a conversation by one turn, token by token.
   *
   * conversation: ids, a string, or a list of both, as in [prompt, first.ids, frame]: text alone
   *   could be split into other tokens than were generated
   * temperature: 0 is greedy
   * seed: of the draws; a token depends on it and on its place in the conversation
   * maxTokens: of the turn
   * stop: id of the token that ends it, or several; the model's own when left out
   * signal: an AbortSignal; its reason is thrown
   *
   * Yields {id, text, probability, alternatives: [{id, text, probability}]}: `text` has special
   * tokens, and waits for all bytes of a character; the alternatives are the five most probable.
   * Returns {text, ids}: `text` has none of the special tokens.
   */
  async *generate(conversation, options = {}, signal = undefined) {
    const {temperature = 0, seed = 0, maxTokens = 112} = options
    const ends = [options.stop ?? this.config.eos_token_id].flat()
    if (!(temperature >= 0 && temperature < Infinity))
      throw new Error(`A temperature is 0 or more, found ${temperature}.`)
    if (!(maxTokens >= 1)) throw new Error(`maxTokens is 1 or more, found ${maxTokens}.`)
    const turn = this.turn = {rested: performance.now()}, ids = []
    const describe = id => (
      {id, text: this.decode([id], {special: true}), probability: this.probabilities[id]})
    await this.prefill(this.ids(conversation), turn, signal)
    for (let last = false, held = []; !last;) {
      softmax(this.model.logits, temperature || 1, this.probabilities)
      const alternatives = best(this.probabilities, 5)
      const id = temperature ?
        draw(this.probabilities, uniform(seed, this.model.length)) : alternatives[0]
      ids.push(id)
      held.push(id)  // tokens that end within a character
      last = ends.includes(id) || ids.length >= maxTokens
      let text = this.decode(held, {special: true})
      if (text.endsWith('\ufffd') && !last) text = ''
      else held = []
      yield {...describe(id), text, alternatives: alternatives.map(describe)}
      await this.pause(turn, signal)
      if (last) break
      this.model.read([id], true)
      this.cached.push(id)
    }
    return {text: this.decode(ids), ids}
  }
}

/** The four files of a folder, all fetched at once. Throws a sentence when one is not there. */
async function fetchFiles(folder, fetch) {
  const files = {}
  await Promise.all(FILES.map(async name => {
    const address = `${String(folder).replace(/\/?$/, '/')}${name}`
    const reply = await fetch(address)
    if (!reply.ok) throw new Error(`${address} could not be fetched: ${reply.status}.`)
    files[name] = name.endsWith('.json') ? await reply.json() : await reply.arrayBuffer()
  }))
  return files
}

/**
 * Load a saved model.
 *
 * source: the address of its folder, or its files by name: parsed JSON, and an ArrayBuffer
 * library: where the module @huggingface/tokenizers is; Node finds it by its name
 * fetch: how files are fetched, such as with a bar that shows progress
 */
export async function loadAgent(source, options = {}) {
  const {library = '@huggingface/tokenizers', fetch = globalThis.fetch} = options
  const named = typeof source === 'string' || source instanceof URL
  const [{Tokenizer}, files] = await Promise.all([
    import(library), named ? fetchFiles(source, fetch) : source])
  const config = files['config.json']
  const model = new Qwen3(config, readSafetensors(files['model.safetensors']))
  const tokenizer = new Tokenizer(files['tokenizer.json'], files['tokenizer_config.json'])
  return new Agent(config, model, tokenizer)
}
