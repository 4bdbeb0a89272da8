import { limits } from '@cadmus/model/limits'
import { Socket } from 'node:net'
import { DatabaseError } from './driver.ts'

/**
 * What comes on a connection to a server. Where an answer is more than may be held nothing but the connection's end keeps the rest from
 * coming: a driver would hold all of it, and a text that is longer than one can be ends the process.
 */
class Intake {
  readonly #socket: Socket
  #begun = 0

  constructor(socket: Socket) {
    this.#socket = socket
    // Before the driver hears of it.
    socket.prependListener('data', () => {
      if (socket.bytesRead - this.#begun > limits.databaseAnswer) socket.destroy(tooLarge())
    })
  }

  /** The answer to the next statement begins. */
  begin(): void {
    this.#begun = this.#socket.bytesRead
  }
}

const intakes = new WeakMap<object, Intake>()

/** Says that the connection is asked the next statement, whose answer may be as large as an answer may be. */
export function beginAnswer(connection: object): void {
  const known = intakes.get(connection)
  if (known) return known.begin()
  if (!('stream' in connection) || !(connection.stream instanceof Socket)) return
  const intake = new Intake(connection.stream)
  intakes.set(connection, intake)
  intake.begin()
}

function tooLarge(): DatabaseError {
  return new DatabaseError('tooLarge', new RangeError('An answer is too large.'))
}
