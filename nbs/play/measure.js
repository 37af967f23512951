// What the page Play downloads in a real Chromium, and how soon it is ready: JSON on standard output.
//   node measure.js CHROMIUM
// Pyodide is taken from node_modules in place of the CDN. Sizes are those of gzip, as sites send files.
import {readFile} from 'node:fs/promises'
import {createServer} from 'node:http'
import {createRequire} from 'node:module'
import {dirname, extname, join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {chromium} from 'playwright-core'
import {PYODIDE} from './start.js'

const TYPES = {'.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json'}
const pyodide = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
const sizes = new Map()  // file -> bytes once compressed

/** A file of the project or of Pyodide; its size is noted. */
async function body(name, path) {
  const bytes = await readFile(path)
  sizes.set(name, Math.min(bytes.length, gzipSync(bytes, {level: 9}).length))
  return bytes
}

const source = await readFile(join(import.meta.dirname, '..', 'play.qmd'), 'utf8')
const html = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Play</title>' +
  source.match(/```\{=html\}\n(.*?)\n```/s)[1]
const server = createServer(async ({url}, reply) => {
  try {
    const bytes = url === '/' ? html : await body(url, join(import.meta.dirname, '..', url))
    reply.writeHead(200, {'content-type': TYPES[extname(url) || '.html'] ?? 'application/octet-stream'})
    reply.end(bytes)
  } catch {
    reply.writeHead(404).end()
  }
}).listen(0, '127.0.0.1')
const browser = await chromium.launch({executablePath: process.argv[2], args: ['--no-sandbox']})
const context = await browser.newContext()
await context.route(`${PYODIDE.base}**`, async route => {
  const name = route.request().url().slice(PYODIDE.base.length)
  await route.fulfill({body: await body(name, join(pyodide, name)),
    headers: {'access-control-allow-origin': '*'}})
})
const page = await context.newPage()
page.setDefaultTimeout(300_000)

/** Seconds from a click until the page says so. */
async function seconds(selector, says) {
  const began = performance.now()
  await page.click(selector)
  await page.waitForFunction(
    text => document.querySelector('.status').textContent.includes(text), says, {polling: 20})
  return (performance.now() - began) / 1000
}

const total = () => [...sizes.values()].reduce((sum, size) => sum + size, 0)
await page.goto(`http://localhost:${server.address().port}/`)
const ready = await seconds('[data-do=start]', 'Ready')
const byHand = total()
await page.check('[name=who][value=grpo]')
const model = await seconds('.choose [type=submit]', 'The model plays')
console.log(JSON.stringify(
  {ready, model, byHand, withModel: total(), files: Object.fromEntries(sizes)}))
await browser.close()
server.close()
