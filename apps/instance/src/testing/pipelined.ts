import { connect, type Socket } from 'node:net'

// For tests only: many raw requests over few connections, several under way on each.

export type RawRequest = {
  readonly bytes: Buffer
  /** It may be that no server can answer it but by closing the connection: it goes alone. */
  readonly isBroken: boolean
}

/** The body of server errors only. */
export type RawAnswer = { readonly status: number; readonly body: string }

const none: RawAnswer = { status: 0, body: '' }
const patience = 60_000
const headEnd = Buffer.from('\r\n\r\n')

/** One connection that is opened again when the server ends it. */
export class PipelinedConnection {
  readonly #port: number
  #socket: Socket | null = null
  #received: Buffer = Buffer.alloc(0)
  #isEnded = false
  #wake: () => void = () => undefined

  constructor(port: number) {
    this.#port = port
  }

  /** Sends all at once, and what was not answered because the connection ended again. Status 0: it was ended instead of an answer. */
  async send(requests: readonly RawRequest[]): Promise<RawAnswer[]> {
    const answers: RawAnswer[] = []
    while (answers.length < requests.length) {
      const isFresh = this.#socket === null || this.#isEnded
      const socket = this.#open()
      const before = answers.length
      socket.write(Buffer.concat(requests.slice(before).map(({ bytes }) => bytes)))
      for (let answer = await this.#next(); answer.status !== 0; answer = await this.#next()) {
        answers.push(answer)
        if (answers.length === requests.length) return answers
      }
      // One that was open may have been ended since, by what came before or because nothing did: what was sent met nobody.
      if (answers.length === before && isFresh) answers.push(none)
    }
    return answers
  }

  /** For what leaves a connection in doubt. */
  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    if (this.#socket && !this.#isEnded) return this.#socket
    this.#received = Buffer.alloc(0)
    this.#isEnded = false
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    this.#socket = socket
    const isCurrent = () => this.#socket === socket
    socket.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    const ended = () => {
      if (!isCurrent()) return
      this.#isEnded = true
      this.#wake()
    }
    socket.on('error', ended)
    socket.on('end', ended)
    socket.on('close', ended)
    return socket
  }

  /** The next answer; `none` where the connection ends before. Throws where neither comes. */
  async #next(): Promise<RawAnswer> {
    const until = performance.now() + patience
    for (;;) {
      const answer = this.#taken()
      if (answer !== null) return answer
      if (this.#isEnded) return none
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, patience)
      await promise
      clearTimeout(timer)
      if (performance.now() > until) throw new Error('A request was neither answered nor refused.')
    }
  }

  /** Takes one whole answer off what was received; null where there is none yet. */
  #taken(): RawAnswer | null {
    const end = this.#received.indexOf(headEnd)
    if (end < 0) return null
    const head = this.#received.toString('latin1', 0, end)
    const status = Number(head.slice(9, 12))
    const length = Number(/\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (/\ntransfer-encoding:/i.test(head)) throw new Error(`An answer without a length: ${head}`)
    const size = end + headEnd.length + length
    if (this.#received.length < size) return null
    const body = status < 500 ? '' : this.#received.toString('utf8', end + headEnd.length, size)
    this.#received = this.#received.subarray(size)
    // What comes before the answer itself.
    return status < 200 ? this.#taken() : { status, body }
  }
}
