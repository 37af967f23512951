/**
 * How long a worker has been silent, in the time of a machine that has nothing else to do.
 *
 * A second worker does a piece of work at every look. Where the piece takes ten times as long as
 * it has taken at best, Python has got a tenth of the machine as well, and a tenth of the time
 * counts.
 */
export class Silence {
  best = Infinity  // ms of the piece of work at its fastest
  passed = 0  // ms

  heard() { this.passed = 0 }

  /** A piece of work took so many ms; between two looks pass `every` ms. */
  worked(took, every) {
    const ms = Math.max(took, .1)  // clocks of browsers are coarse
    this.best = Math.min(this.best, ms)
    this.passed += every * this.best / ms
  }
}

/** A worker that answers a message with how many ms a piece of work has taken. */
export const PULSE = `
  onmessage = () => {
    const began = performance.now()
    let x = 1
    for (let i = 0; i < 4e6; i++) x = Math.imul(x, 48271)
    postMessage({took: performance.now() - began, x})
  }
`
