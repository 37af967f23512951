/**
 * How long a worker has been silent, in the time of a machine that has nothing else to do.
 *
 * A second worker does a piece of work at every look. Where the piece takes ten times as long as
 * it has taken at best, Python has got a tenth of the machine as well, and a tenth of the time
 * counts; never less than a twentieth, so that somebody who waits is told in the end.
 */
export class Silence {
  best = Infinity  // ms of the piece of work at its fastest
  passed = 0  // ms that count
  waited = 0  // ms of the clock

  heard() { this.passed = this.waited = 0 }

  /** A piece of work took so many ms; since the last look so many have passed. */
  worked(took, elapsed) {
    const ms = Math.max(took, .1)  // clocks of browsers are coarse
    this.best = Math.min(this.best, ms)
    this.passed += elapsed * Math.max(this.best / ms, .05)
    this.waited += elapsed
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
