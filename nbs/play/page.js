// The page Play: it draws, and asks the worker for everything. See worker.js.

import {outcome} from './outcome.js'
import {PULSE, Silence} from './silence.js'
import {PYODIDE} from './start.js'

const root = document.querySelector('#play')
const $ = query => root.querySelector(query)
const $$ = query => [...root.querySelectorAll(query)]
const element = (tag, props = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), props)
  made.append(...children)
  return made
}
const form = $('.choose'), field = name => form.elements[name]
const kept = 'sqlenv-play'  // of sessionStorage: what a reload shall not lose

/** Say it where the reader is: beside the form, or beside what came back. */
function say(text, error = false) {
  const under = part => !$(part).hidden && part
  const choosing = $('.choosing').open && $('.choosing').contains(document.activeElement)
  const part = !choosing && (under('.hand') || under('.watch'))
  const place = $(part ? `${part} .says` : $('.game').hidden ? '.says' : '.choosing + .says')
  if ($('.saying').parentElement !== place) place.append($('.saying'))
  $('.status').textContent = text
  $('.status').classList.toggle('error', error)
}

// The worker ------------------------------------------------------------------------------------

const TICK = 250  // ms between two looks at whether the worker is silent
const silence = new Silence()
let worker, waiting = new Map(), number = 0
let patience = 1000 * root.dataset.patience  // ms of silence after which it is ended

/** Ask the worker. Throws its sentence, or Ended when it had to be ended. */
class Ended extends Error {}
const ask = (method, ...args) => new Promise((resolve, reject) => {
  if (!waiting.size) silence.heard()
  waiting.set(++number, {resolve, reject, method})
  worker.postMessage({id: number, method, args})
})
const python = (method, args = {}) => ask('ask', method, args)

function openWorker(onProgress) {
  worker = new Worker(new URL('worker.js', import.meta.url), {type: 'module'})
  worker.onmessage = ({data}) => {
    silence.heard()
    if ('progress' in data) onProgress(data.progress)
    const pending = waiting.get(data.id)
    if (!pending) return
    waiting.delete(data.id)
    if ('error' in data) pending.reject(new Error(data.error))
    else pending.resolve(data.value)
  }
  worker.onerror = event => {
    event.preventDefault()
    endWorker(new Error(event.message || 'the worker of this page could not be started'))
  }
}

function endWorker(error) {
  worker.terminate()
  const all = [...waiting.values()]
  waiting.clear()
  for (const {reject} of all) reject(error)
}

/** End a worker that has said nothing for so long: nothing else stops it. */
const quick = () => [...waiting.values()].some(({method}) => !['start', 'load_models'].includes(method))
function watchOver() {
  const pulse = new Worker(URL.createObjectURL(new Blob([PULSE], {type: 'text/javascript'})))
  let working = false, last = 0
  pulse.onmessage = ({data}) => {
    working = false
    if (!quick()) silence.heard()
    const now = performance.now()
    silence.worked(data.took, now - last)
    last = now
    if (silence.passed <= patience) return
    const error = new Ended(Math.round(silence.waited / 1000))
    silence.heard()
    endWorker(error)
  }
  const look = () => {
    if (working) return
    working = true
    pulse.postMessage(0)
  }
  look()  // nothing else runs yet, so that it is as fast as it gets
  setInterval(() => {
    if (quick()) look()
    else last = performance.now()
  }, TICK)
}

/** Do something of the reader's; what goes wrong is said. */
let busy = false
async function attempt(task) {
  if (busy) return
  busy = true
  root.setAttribute('aria-busy', 'true')
  try {
    await task()
  } catch (error) {
    if (error instanceof Ended) await restart(error.message)
    else say(error.message, true)
  } finally {
    busy = false
    root.removeAttribute('aria-busy')
  }
}

// Start -----------------------------------------------------------------------------------------

let catalogue, editor, drawViewer, file = null, ownQuestions = [], ownSeed = 0
let results = null  // of the published run, from tools/play_page.py

/** Why the page cannot run here; empty when it can. */
function hindrance() {
  if (typeof WebAssembly !== 'object') return 'This browser has no WebAssembly, or it is switched off.'
  if (typeof Worker !== 'function') return 'This browser has no workers, or they are switched off.'
  return ''
}

async function load() {
  const bar = $('progress')
  bar.hidden = false
  bar.value = 0
  openWorker(part => { bar.value = part })
  catalogue = await ask('start')
  const all = Object.values(catalogue.splits).flat()
  const differ = results?.differ.map(found => ({...all.find(q => q.id === found.id), ...found}))
  catalogue.splits.differ = differ?.filter(q => q.text) ?? []
  bar.hidden = true
}

/** How the models did in the published run: where they differ, and how often one is right. */
function tellResults() {
  $('.choose .base').hidden = !results?.models.includes('base')
  if (!catalogue.splits.differ.length) $('[name=split] [value=differ]').remove()
  const shares = results?.success.map(({what, right, n}) =>
    `${(100 * right / n).toFixed(1)} % of ${n} ${what}`)
  $('.odds').textContent = shares ?
    `About databases that it had not seen, the model after GRPO answered ${shares.join(' and ')} rightly.` : ''
}

async function start() {
  $('[data-do=start]').disabled = true
  say('Loading …')
  try {
    const [{makeEditor}] = await Promise.all([import('./assets/editor.js').catch(() => {
      throw new Error('The page was built without what it downloads; make play builds it.')
    }), load()])
    editor = makeEditor($('.sql'), () => act('QUERY', editor.text), keep)
  } catch (error) {
    worker?.terminate()
    $('progress').hidden = true
    $('[data-do=start]').disabled = false
    say(`It could not be started: ${error.message}`, true)
    return
  }
  document.head.append(element('style', {textContent: catalogue.viewer.style}))
  drawViewer = new Function(catalogue.viewer.script)
  $('.start').hidden = true
  $('.game').hidden = false
  tellResults()
  fillDatabases()
  say('Ready. Choose a question, or draw one.')
  await attempt(resume)
}

/** Another worker, and in it what was there before. */
async function restart(seconds) {
  patience *= 2  // a slow machine is given more time
  say(`Nothing was heard from Python for ${seconds} s, so it was ended. Starting it again …`, true)
  try {
    await load()
    if (file) await ask('open', file)
    if (ownQuestions.length) await python('write_questions', {seed: ownSeed})
    if (!$('.watch').hidden) stopWatching('Begin again to watch the model.')
    if (episode) await replay(episode)
    say(`Nothing was heard from Python for ${seconds} s, so it was ended and started again.` +
      (episode ? ' Your episode is as it was before the last action, which took no step.' : ''), true)
  } catch (error) {
    if (error instanceof Ended) return restart(error.message)
    $('progress').hidden = true
    say(`It could not be started again: ${error.message} Reload the page.`, true)
  }
}

// Choosing --------------------------------------------------------------------------------------

const chosenSplit = () => field('split').value
const questions = () => chosenSplit() === 'own' ? ownQuestions :
  catalogue.splits[chosenSplit()].filter(q => q.right || q.db === field('db').value)

function fillDatabases() {
  const own = chosenSplit() === 'own'
  $('.choose .own').hidden = !own
  $('.choose .ours').hidden = own || chosenSplit() === 'differ'
  if (!own) {
    const names = [...new Set(catalogue.splits[chosenSplit()].map(q => q.db))].sort()
    field('db').replaceChildren(...names.map(name => element('option', {}, name)))
  }
  fillQuestions()
}

/** How often the models were right, where that is why a question is offered. */
const tally = ({right}) => right ?
  `Before GRPO right ${right.sft}, after ${right.grpo} of ${results.tries} times: ` : ''

function fillQuestions() {
  const option = q => element('option', {value: q.id}, `${tally(q)}${q.text} (${q.difficulty})`)
  field('question').replaceChildren(...questions().map(option))
  if (chosenSplit() === 'own' && !questions().length)
    field('question').append(element('option', {value: ''}, file ? 'your own' : 'open a file first'))
}

/** What `find` of the bridge takes. */
function asked() {
  const text = chosenSplit() === 'own' ? field('text').value.trim() : ''
  return text ? {text} : {question_id: field('question').value}
}

function drawQuestion() {
  const splits = chosenSplit() === 'own' ? ownQuestions : catalogue.splits[chosenSplit()]
  if (!splits.length) throw new Error('Open a database first.')
  const drawn = splits[Math.floor(Math.random() * splits.length)]
  if (drawn.db) field('db').value = drawn.db
  fillQuestions()
  field('question').value = drawn.id
  field('text').value = ''
}

async function openFile(chosen) {
  if (chosen.size > catalogue.largest) {
    const mb = bytes => Math.round(bytes / 1e6).toLocaleString('en')
    throw new Error(`${chosen.name} has ${mb(chosen.size)} MB; this page takes files of at most ` +
      `${mb(catalogue.largest)} MB, since it keeps them in memory. sqlenv play --db takes larger ones.`)
  }
  say(`Opening ${chosen.name} …`)
  const found = await ask('open', chosen)
  file = chosen
  $('.notes').textContent = [`${found.db}: ${found.tables} tables.`, ...found.notes].join(' ')
  say(`Writing questions for ${found.db} …`)
  ownSeed = 0
  ownQuestions = await python('write_questions', {seed: ownSeed})
  for (const part of $$('.asking')) part.hidden = false
  fillQuestions()
  say(ownQuestions.length ? `${found.db} is open, with ${ownQuestions.length} questions.` :
    `${found.db} is open. There is too little in it to ask about: ask in your own words.`)
}

async function writeMore() {
  ownQuestions = await python('write_questions', {seed: ++ownSeed})
  fillQuestions()
  say(`${ownQuestions.length} other questions.`)
}

// An episode by hand ----------------------------------------------------------------------------

let episode = null  // {asked, actions}, enough to play it again

/** Keep for a reload what was done and what is being written; a reader's file is not kept. */
function keep() {
  const text = field('text').value, answer = $('[name=answer]').value
  const all = {...episode, split: chosenSplit(), file: file?.name, sql: editor?.text, answer, text}
  try {
    sessionStorage.setItem(kept, JSON.stringify(episode || text || file ? all : null))
  } catch {}  // a browser that keeps nothing
}

/** Show the record of episodes; states: of the environment, each with its own html. */
function record(states) {
  const place = $('.episodes')
  place.classList.toggle('beside', states.length > 1)
  place.innerHTML = states.map(state => state.html).join('')
  place.querySelectorAll('.episode').forEach((view, i) => {
    const underWay = !states[i].done && states[i].goes_on !== false
    view.classList.toggle('running', underWay)
    view.classList.toggle('mine', underWay && !('goes_on' in states[i]))
  })
  drawViewer()
  $('.record').hidden = false
  $('.oracle').replaceChildren()
}

function show(state) {
  const {question, left, taken, done, tables} = state
  $('.hand .question').textContent = question.text
  $('.left').textContent = done ? 'The episode is over.' :
    `${left} of ${left + taken} steps left.${question.judged ? '' : ' Nobody judges the answer.'}`
  const names = tables.map(({name}) => name).join()
  if ($('.tables').dataset.names !== names) $('.tables').replaceChildren(...tables.map(({name}) => element('li', {},
    element('b', {}, name),
    element('button', {type: 'button', ariaLabel: `Describe ${name}`, onclick: () => act('DESCRIBE', name)}, 'describe'),
    ' ',
    element('button', {type: 'button', ariaLabel: `Sample ${name}`, onclick: () => act('SAMPLE', name)}, 'sample'))))
  $('.tables').dataset.names = names
  if (done && $('.actions').contains(document.activeElement)) $('.came').focus({preventScroll: true})
  for (const part of $$('.hand :is(button, textarea)')) part.disabled = done
  editor.complete(tables)
  record([state])
  const last = $('.episodes .steps > li:last-child')?.cloneNode(true)
  last?.querySelector('.chips')?.remove()
  $('.last').replaceChildren(...(last?.children ?? []))
  for (const part of $$('.last .scroll')) if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
  $('.came').scrollTop = 0
  $('[data-do=oracle]').hidden = !(done && question.judged)
}

/** How the step went, for everybody and for screen readers. */
function told(state) {
  const {done, correct, reason, said, left, question} = state
  if (!done) return `${said.replace(/[.!?]?$/, '.')} ${left} ${left === 1 ? 'step' : 'steps'} left.`
  if (!question.judged) return `You ${outcome(state).replace(/[.]?$/, '.')} Nobody judges it.`
  return correct ? 'Right!' : `Wrong: ${reason}.`
}

async function begin() {
  const choice = asked()
  const state = await python('begin', {player: 'reader', ...choice})
  // a question that was drawn or written is found again by its id
  episode = {asked: choice, actions: []}
  stopWatching('')
  $('.answering').reset()
  editor.text = ''
  show(state)
  turnTo('.hand')
  keep()
  say(`${state.left} steps. The tables are ${state.tables.map(t => t.name).join(', ')}. ` +
    'Describe one: what comes back is shown here.')
}

/** Fold the form, and go to an episode. */
function turnTo(part) {
  for (const other of ['.hand', '.watch']) $(other).hidden = other !== part
  $('.choosing').open = false
  $('.choosing summary').textContent = 'Choose another question'
  say('')
  $(`${part} .question`).focus({preventScroll: true})
  $(part).scrollIntoView()
}

const act = (kind, argument) => attempt(async () => {
  const state = await python('step', {player: 'reader', kind, argument})
  episode.actions = state.actions
  show(state)
  keep()
  say(told(state), Boolean(state.error))
})

/** Play an episode again in a new worker. */
async function replay({asked: choice, actions}) {
  let state = await python('begin', {player: 'reader', ...choice})
  for (const [kind, argument] of actions)
    state = await python('step', {player: 'reader', kind, argument})
  show(state)
  turnTo('.hand')
}

/** After a reload: the episode that was there, and what was being written. */
async function resume() {
  const found = JSON.parse(sessionStorage.getItem(kept) ?? 'null')
  if (!found) return
  field('split').value = found.split
  fillDatabases()
  field('text').value = found.text
  if (found.split === 'own' && found.file) say(`A reload forgets your database: choose ${found.file} again.`)
  const all = catalogue.splits[found.split]?.find(q => q.id === found.asked?.question_id)
  if (!all) return
  field('db').value = all.db
  fillQuestions()
  field('question').value = all.id
  await replay(found)
  editor.text = found.sql
  $('[name=answer]').value = found.answer
  episode = {asked: found.asked, actions: found.actions}
  say('Your episode is as it was before the page was loaded again.')
}

async function showOracle() {
  const {html} = await python('oracle', {player: $('.watch').hidden ? 'reader' : players[0].name})
  $('.oracle').innerHTML = html
  drawViewer()
  say('The episode of the oracle is at the end of the page.')
  $('.oracle').scrollIntoView({block: 'nearest'})
}

// Watching the model ----------------------------------------------------------------------------

let players = []  // {name, state, panel, turn, over}
let loop = null  // what plays one round after another; null while it is paused
let last = Promise.resolve()  // the last round; each waits for the one before

function stopWatching(text) {
  loop = null
  players = []
  $('.watch').hidden = true
  if (!episode) $('.choosing').open = true
  if (text) say(text)
}

/** The place of one model: its tokens, and the alternatives of the one that is looked at. */
function panel(title) {
  const tokens = element('div', {className: 'tokens', tabIndex: 0, ariaLabel: `Tokens of the model ${title}; the arrow keys show the alternatives of each`, role: 'group'})
  const alternatives = element('ol', {className: 'alternatives', ariaLabel: 'The most probable tokens here', ariaLive: 'off'})
  tokens.onkeydown = event => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key]
    const all = [...tokens.querySelectorAll('.turn span')]
    if (!step || !all.length) return
    event.preventDefault()
    const at = all.findIndex(part => part.classList.contains('chosen'))
    const next = all[Math.min(all.length - 1, Math.max(0, (at < 0 ? all.length : at) + step))]
    next.click()
    next.scrollIntoView({block: 'nearest'})
  }
  const view = element('div', {className: 'panel'}, element('h3', {}, `The model ${title}`), tokens, alternatives)
  return {view, tokens, alternatives}
}

const visible = text => text.replace(/\n/g, '↵').replace(/^ | $/g, '␣') || '∅'

function showAlternatives({alternatives: place}, token) {
  place.replaceChildren(...token.alternatives.map(({id, text, probability}) => {
    const share = `${(100 * probability).toFixed(1)} %`
    const bar = element('i', {ariaHidden: 'true'})
    bar.style.width = `${100 * probability}%`
    const line = element('li', {}, element('span', {}, visible(text)), bar, share)
    line.classList.toggle('taken', id === token.id)
    return line
  }))
}

function addToken(player, token) {
  player.turn ??= player.panel.tokens.appendChild(element('div', {className: 'turn'}))
  const part = element('span', {
    textContent: token.text,
    title: `${(100 * token.probability).toFixed(1)} %`,
    onclick: () => {
      player.panel.tokens.querySelector('.chosen')?.classList.remove('chosen')
      part.classList.add('chosen')
      showAlternatives(player.panel, token)
      player.panel.alternatives.ariaLive = document.activeElement === player.panel.tokens ? 'polite' : 'off'
    },
  })
  part.classList.toggle('doubt', token.probability < .9)
  player.turn.append(part)
  player.panel.tokens.scrollTop = player.panel.tokens.scrollHeight
  showAlternatives(player.panel, token)
}

/** One token of one player; at the end of a turn what its calls showed. */
async function advance(player) {
  const {token, state} = await ask('next', player.name)
  if (!players.includes(player)) return  // another episode has begun meanwhile
  if (token) return addToken(player, token)
  const taken = player.state.taken
  player.state = state
  player.turn = null
  if (state.taken > taken) {
    player.panel.tokens.append(element('div', {className: 'result'}, state.shown))
    player.panel.tokens.scrollTop = player.panel.tokens.scrollHeight
  }
  player.over = !state.goes_on
  record(players.map(p => p.state))
}

/** A token of each who is not over. */
function round() {
  last = last.catch(() => {}).then(async () => {
    await Promise.all(players.filter(p => !p.over).map(advance))
    if (players.length && players.every(p => p.over)) finish()
  })
  return last
}

function finish() {
  loop = null
  $('[data-do=pause]').textContent = 'Go on'
  for (const name of ['pause', 'token']) $(`[data-do=${name}]`).disabled = true
  say(players.map(({title, state}) => `The model ${title} ${outcome(state)}.`).join(' '))
  $('[data-do=oracle]').hidden = !players[0].state.question.judged
}

const rest = ms => new Promise(resolve => setTimeout(resolve, ms))
/** ms between two tokens: none at the right end of the slider, a second at the left. */
const pace = () => 1000 * (1 - $('[name=speed]').value / 100) ** 2

/** Pause, or go on. */
async function run() {
  const mine = loop ? null : {}
  loop = mine
  $('[data-do=pause]').textContent = mine ? 'Pause' : 'Go on'
  try {
    while (mine && loop === mine) {
      await round()
      if (pace() > 0) await rest(pace())
    }
  } catch (error) {
    if (error instanceof Ended) return attempt(() => { throw error })
    stopWatching('')
    say(error.message, true)
  }
}

async function watch() {
  const who = field('who').value, names = who === 'both' ? ['sft', 'grpo'] : [who]
  const bar = $('progress')
  stopWatching('')
  say('Loading the model …')
  bar.hidden = false
  let about
  try {
    about = await ask('load_models', names).catch(error => {
      if (error instanceof Ended) throw error
      throw new Error(`No model could be loaded: ${error.message} The page may have been built without one.`)
    })
  } finally {
    bar.hidden = true
  }
  $('.models').textContent = `Trained by ${about.run.command}, ${about.run.started.slice(0, 10)}.`
  const seed = Number(field('seed').value) >>> 0
  const temperature = field('mode').value === 'greedy' ? 0 : about.temperature
  players = []
  for (const model of names) {
    const title = about.models[model]
    const state = await ask('begin_agent', model, model, {temperature, seed}, asked())
    players.push({name: model, title, state, panel: panel(title), turn: null, over: false})
  }
  episode = null
  keep()
  turnTo('.watch')
  $('.watch .question').textContent = players[0].state.question.text
  $('.panels').replaceChildren(...players.map(p => p.panel.view))
  for (const name of ['pause', 'token']) $(`[data-do=${name}]`).disabled = false
  $('[data-do=oracle]').hidden = true
  record(players.map(p => p.state))
  say(players.length > 1 ? 'The models play.' : 'The model plays.')
  run()
}

// What the reader does --------------------------------------------------------------------------

const buttons = {
  start,
  draw: () => attempt(async () => {
    drawQuestion()
    await (field('who').value === 'reader' ? begin() : watch())
  }),
  more: () => attempt(writeMore),
  run: () => act('QUERY', editor.text),
  pause: run,
  token: () => attempt(async () => {
    if (loop) run()
    await round()
  }),
  oracle: () => attempt(showOracle),
}
for (const [name, task] of Object.entries(buttons)) $(`[data-do=${name}]`).onclick = task

form.onsubmit = event => {
  event.preventDefault()
  attempt(field('who').value === 'reader' ? begin : watch)
}
$('.answering').onsubmit = event => {
  event.preventDefault()
  act('ANSWER', event.target.elements.answer.value)
}
field('split').onchange = fillDatabases
field('db').onchange = fillQuestions
field('file').onchange = ({target}) => {
  const [chosen] = target.files
  if (chosen) attempt(() => openFile(chosen))
}
for (const radio of field('who')) radio.onchange = () => { $('.how').hidden = field('who').value === 'reader' }
$('[name=rewards]').onchange = ({target}) => $('.episodes').classList.toggle('with-rewards', target.checked)

for (const name of ['answer', 'text']) $(`[name=${name}]`).oninput = keep

const drop = $('.drop')
for (const kind of ['dragover', 'dragleave', 'drop']) drop.addEventListener(kind, event => {
  event.preventDefault()
  drop.classList.toggle('over', kind === 'dragover')
  const [chosen] = event.dataTransfer?.files ?? []
  if (kind === 'drop' && chosen) attempt(() => openFile(chosen))
})

const why = hindrance()
if (why) say(why, true)
else {
  watchOver()
  results = await fetch(new URL('assets/results.json', import.meta.url))
    .then(reply => reply.ok ? reply.json() : null).catch(() => null)
  const python = Object.values(PYODIDE.files).reduce((sum, [, , size]) => sum + size, 0)
  const megabytes = ((python + (results?.bytes ?? 0)) / 1e6).toFixed(1)
  $('.size').textContent = `: ${megabytes} MB in all`
  $('[data-do=start]').disabled = false
}
