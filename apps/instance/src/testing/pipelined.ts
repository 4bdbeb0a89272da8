import { connect, type Socket } from 'node:net'

// For tests: many raw requests over few pipelined connections.

export type RawRequest = {
  readonly bytes: Buffer
  /** The server may only be able to close the connection, so it is sent alone. */
  readonly isBroken: boolean
}

/** `body` is set for server errors only. */
export type RawAnswer = { readonly status: number; readonly body: string }

const none: RawAnswer = { status: 0, body: '' }
const timeout = 60_000
const headEnd = Buffer.from('\r\n\r\n')

/** A connection that is reopened when the server closes it. */
export class PipelinedConnection {
  readonly #port: number
  #socket: Socket | null = null
  #received: Buffer = Buffer.alloc(0)
  #isEnded = false
  #wake: () => void = () => undefined

  constructor(port: number) {
    this.#port = port
  }

  /**
   * Sends all requests at once and resends those lost by a closed connection. Status 0: the connection was closed
   * instead of an answer.
   */
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
      // An older connection may have been closed before the request arrived.
      if (answers.length === before && isFresh) answers.push(none)
    }
    return answers
  }

  /** Called when the state of the connection is unknown. */
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

  /** The next answer; `none` if the connection closes. Throws after a timeout. */
  async #next(): Promise<RawAnswer> {
    const until = performance.now() + timeout
    for (;;) {
      const answer = this.#takeAnswer()
      if (answer !== null) return answer
      if (this.#isEnded) return none
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#wake = resolve
      const timer = setTimeout(resolve, timeout)
      await promise
      clearTimeout(timer)
      if (performance.now() > until) throw new Error('A request was neither answered nor refused.')
    }
  }

  /** Removes one complete answer from the received bytes; null without a complete answer. */
  #takeAnswer(): RawAnswer | null {
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
    // Skips informational answers.
    return status < 200 ? this.#takeAnswer() : { status, body }
  }
}
