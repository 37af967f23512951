// The list of episodes of a report: filter, list a hundred at a time, show the chosen one below its
// gold answer, and beside it another episode of the same question.
// `viewer` is viewer.js as a function, which the page defines before this script.

const $ = query => document.querySelector(query)
const element = (tag, text, props) =>
  Object.assign(document.createElement(tag), {textContent: text}, props)

const browse = ({rows, gold}) => {
  const selects = [...document.querySelectorAll('[data-field]')]
  const words = $('.filters input'), list = $('.list'), more = $('.more'), shown = $('.shown')

  // Show one episode, or two side by side.
  const put = (...chosen) => {
    const place = element('div', '', {className: 'beside sqlenv'})
    place.innerHTML = chosen.map(r => r.html).join('')
    shown.querySelector('.beside')?.remove()
    shown.append(place)
    viewer()
  }

  // A choice of the other episodes of the same question.
  const comparison = (row, others) => {
    const select = element('select'), label = element('label', 'compare with ')
    const option = (o, i) => element('option', `${o.model}, ${o.mode}: ${o.outcome}`, {value: i})
    select.append(element('option', 'nothing', {value: ''}), ...others.map(option))
    select.onchange = () => select.value ? put(row, others[select.value]) : put(row)
    label.append(select)
    return label
  }

  const open = (row, button) => {
    list.querySelector('[aria-current]')?.removeAttribute('aria-current')
    button.setAttribute('aria-current', 'true')
    const others = rows.filter(o => o.id == row.id && o != row)
    const right = element('div', '', {className: 'sqlenv', innerHTML: gold[row.id] ?? ''})
    shown.replaceChildren(...(others.length ? [comparison(row, others)] : []), right)
    put(row)
    shown.focus({preventScroll: true})
    if (innerWidth < 900) shown.scrollIntoView()
  }

  const line = row => {
    const sign = row.correct ? '✓' : '✗', error = row.error == 'none' ? [] : row.error
    const facts = [row.model, row.mode, row.split, row.hardness, row.outcome, error].flat()
    const steps = `${row.steps} step${row.steps == 1 ? '' : 's'}`
    facts.push(row.db, steps, `reward ${row.reward.toFixed(3)}`)
    const li = element('li')
    const button = element('button', `${sign} ${row.question}`, {type: 'button'})
    button.append(element('small', facts.join(' · ')))
    button.onclick = () => open(row, button)
    li.append(button)
    return li
  }

  let found = []
  const extend = () => {
    const n = list.children.length
    list.append(...found.slice(n, n + 100).map(line))
    more.hidden = list.children.length >= found.length
  }

  const agrees = (row, select) => !select.value || row[select.dataset.field].includes(select.value)
  const passes = (row, free) =>
    selects.every(s => s == free || agrees(row, s))
    && row.question.toLowerCase().includes(words.value.toLowerCase())

  // Beside each value of a filter: how many episodes would be left if it were chosen now.
  const count = select => {
    const counts = new Map()
    for (const row of rows.filter(row => passes(row, select)))
      for (const value of row[select.dataset.field]) counts.set(value, (counts.get(value) ?? 0) + 1)
    for (const { value, index } of select.options)
      if (value) select.options[index].textContent = `${value} (${counts.get(value) ?? 0})`
  }

  const filter = () => {
    found = rows.filter(row => passes(row))
    selects.forEach(count)
    $('.count').textContent = `${found.length} of ${rows.length} episodes`
    list.replaceChildren()
    extend()
  }

  for (const select of selects) select.onchange = filter
  words.oninput = filter
  more.onclick = extend
  filter()
  document.body.dataset.ready = 1
}

const unpack = async text => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text())
}

viewer()
if ($('#packed')) unpack($('#packed').textContent).then(browse)
