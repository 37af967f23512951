// Brings the episodes of a page to life: the slider goes through the steps, and the diagram shows
// what the agent knew at each. It may stand on a page many times; each episode is set up once.
(() => {
  const setUp = episode => {
    const all = query => [...episode.querySelectorAll(query)]
    const [play, range] = all('.controls button, .controls input')
    const items = all('.steps > li'), sums = all('.sums td'), marks = all('[data-steps]')
    const progress = all('progress')[0], used = all('.used')[0], svg = all('svg')[0]
    const n = items.length

    const light = (mark, k) => {
      const when = mark.dataset.steps.split(' ').filter(Boolean).map(Number)
      mark.classList.toggle('lit', when.some(step => step <= k))
      mark.classList.toggle('now', when.includes(k))
    }

    // Show the episode after k steps.
    const go = k => {
      const item = items[k - 1], say = item ? item.dataset.say : 'Before the first step.'
      for (const mark of marks) light(mark, k)
      items.forEach(li => li.removeAttribute('aria-current'))
      item?.setAttribute('aria-current', 'step')
      const totals = item ? item.dataset.sums.split(' ') : sums.map(() => '0.000')
      sums.forEach((td, i) => { td.textContent = totals[i] })
      range.value = k
      range.setAttribute('aria-valuetext', say)
      progress.value = k
      used.textContent = `${k} of ${progress.max} steps`
      svg?.setAttribute('aria-label', 'Database diagram. ' + say)
    }

    let timer
    const stop = () => {
      clearInterval(timer)
      timer = 0
      play.textContent = '▶ Play'
    }
    const tick = () => {
      if (+range.value < n && episode.isConnected) go(+range.value + 1)
      else stop()
    }
    play.onclick = () => {
      if (timer) return stop()
      go(+range.value < n ? +range.value : 0)
      play.textContent = '❚❚ Pause'
      timer = setInterval(tick, 1200)
    }
    range.oninput = () => {
      stop()
      go(+range.value)
    }

    // What scrolls at the present width can be reached by keyboard.
    const reachable = new ResizeObserver(entries => {
      for (const { target: part } of entries)
        part.scrollWidth > part.clientWidth ? part.tabIndex = 0 : part.removeAttribute('tabindex')
    })
    for (const part of all('.scroll')) reachable.observe(part)
    all('.controls')[0].hidden = false
    go(n)
  }

  for (const episode of document.querySelectorAll('.sqlenv .episode:not([data-ready])')) {
    episode.dataset.ready = 1
    setUp(episode)
  }
})()
