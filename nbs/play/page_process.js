// The page in a real Chromium as a process, for tests: a line of JSON in, {method, args}, a line out.
//   node page_process.js CHROMIUM ADDRESS
// Pyodide is taken from node_modules in place of the CDN, with the hashes that the page pins.
import {readFile} from 'node:fs/promises'
import {createRequire} from 'node:module'
import {dirname, join} from 'node:path'
import {createInterface} from 'node:readline'
import {chromium} from 'playwright-core'
import {PYODIDE} from './start.js'

const [, , executablePath, address] = process.argv
const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
const browser = await chromium.launch({executablePath, args: ['--no-sandbox']})
const WAIT = {timeout: 300_000}  // a slow machine is no failure
let context, page, requests = [], problems = []

const methods = {
  /** Open the page anew: width and height of the window, colorScheme, and changes of Pyodide's files. */
  async open(path, {width = 1280, height = 900, spoil = '', ...options} = {}) {
    await context?.close()
    requests = []
    problems = []
    context = await browser.newContext({viewport: {width, height}, ...options})
    context.on('request', request => requests.push([request.method(), request.url()]))
    await context.route(`${PYODIDE.base}**`, async route => {
      const name = route.request().url().slice(PYODIDE.base.length)
      const body = await readFile(join(pyodide, name))
      if (name === spoil) body[1000] ^= 1
      await route.fulfill({body, headers: {'access-control-allow-origin': '*'}})
    })
    page = await context.newPage()
    page.setDefaultTimeout(WAIT.timeout)
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', error => problems.push(String(error)))
    await page.goto(address + path)
  },
  reload: () => page.reload(),
  requests: () => requests,
  problems: () => problems,

  click: selector => page.click(selector),
  check: selector => page.check(selector),
  fill: (selector, text) => page.fill(selector, text),
  select: (selector, value) => page.selectOption(selector, value),
  press: (selector, key) => page.press(selector, key),
  type: (selector, text) => page.locator(selector).pressSequentially(text),
  choose: (selector, file) => page.setInputFiles(selector, file),
  text: selector => page.locator(selector).first().innerText(),
  texts: selector => page.locator(selector).allInnerTexts(),
  evaluate: code => page.evaluate(code),

  /** Wait until the text of an element agrees with a pattern; the text. */
  async until(selector, pattern) {
    const agrees = ([s, p]) => new RegExp(p).test(document.querySelector(s)?.textContent ?? '')
    await page.waitForFunction(agrees, [selector, pattern], WAIT)
    return page.locator(selector).first().innerText()
  },
  /** Let the page's worker do nothing but count, for so many ms; it is not waited for. */
  async block(ms) {
    const worker = page.workers().find(each => each.url().endsWith('worker.js'))
    worker.evaluate(time => {
      for (const end = Date.now() + time; Date.now() < end;);
    }, ms).catch(() => {})
  },
  shot: file => page.screenshot({path: file, fullPage: true}),
}

for await (const line of createInterface({input: process.stdin})) {
  const {method, args} = JSON.parse(line)
  let reply
  try {
    reply = {value: (await methods[method](...args)) ?? null}
  } catch (error) {
    reply = {error: error.message}
  }
  console.log(JSON.stringify(reply))
}
await browser.close()
