import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'

/**
 * Measures a user who requests large answers and does not read them: `node bench/src/unread.ts [ancestors] [answers]`.
 * An entity with the given number of ancestors of 4,900 attributes each is requested over as many connections at once,
 * which read only the first bytes. Reports statuses, how many answers were cut off, and the server's memory: before,
 * when the last one had its first bytes, 45 s later, and at most.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'ACME' }
const ancestors = Number(process.argv[2] ?? 60)
const answers = Number(process.argv[3] ?? 120)
/** Exceeds the timeout for idle connections. */
const silence = 45_000

type PendingRequest = { socket: Socket; status: string; taken: number; isOver: boolean }

const server = await startConsole({ env: { CADMUS_BOOTSTRAP_TOKEN: token } })
const id = await chain(server)
const whole = await fetch(`${server.url}/1.0/cdm/entity/${id}`, { headers })
const size = (await whole.arrayBuffer()).byteLength
await wait(2000)
const before = memory(server, 'VmRSS')
const requests = Array.from({ length: answers }, () => request(server, id))
while (requests.some(({ status, isOver }) => status === '' && !isOver)) await wait(250)
const during = memory(server, 'VmRSS')
await wait(silence)
const after = memory(server, 'VmRSS')
for (const { socket } of requests) socket.resume()
await wait(5000)
const statuses: Record<string, number> = {}
for (const { status } of requests) statuses[status] = (statuses[status] ?? 0) + 1
const sent = requests.filter(({ status }) => status === '200')
const cut = sent.filter(({ isOver, taken }) => isOver && taken < size).length
const used = { before, during, after, max: memory(server, 'VmHWM') }
process.stdout.write(
  `${JSON.stringify({ megabytes: Math.round(size / 1e5) / 10, answers, statuses, cut, memory: used })}\n`,
)
for (const { socket } of requests) socket.destroy()
await server.stop()

/** Megabytes of the process. */
function memory({ pid }: ConsoleServer, what: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] = new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

function request({ port }: ConsoleServer, entity: number): PendingRequest {
  const pending: PendingRequest = { socket: connect(port, '127.0.0.1'), status: '', taken: 0, isOver: false }
  const { socket } = pending
  const lines = Object.entries({ host: `localhost:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
  socket.write([`GET /1.0/cdm/entity/${entity} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  socket.once('data', data => {
    pending.status = data.toString('latin1').split(' ')[1] ?? ''
    socket.pause()
  })
  socket.on('data', data => void (pending.taken += data.length))
  socket.on('close', () => void (pending.isOver = true))
  socket.on('error', () => void (pending.isOver = true))
  return pending
}

/** Returns the id of the last entity. */
async function chain({ url }: ConsoleServer): Promise<number> {
  let id = -1
  for (let level = 0; level < ancestors; level++) {
    const typeAttributes = Array.from({ length: 4900 }, (_none, index) => ({
      name: `c${level}x${index}`,
      description: 'what it is for',
    }))
    const entity = { name: `Link${level}`, typeAttributes, extendsEntity: id < 0 ? null : { id } }
    const answer = await fetch(`${url}/1.0/cdm/entity`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ entity }),
    })
    if (!answer.ok) throw new Error(`An entity was refused: ${answer.status} ${await answer.text()}`)
    const stored: { entity: { id: number } } = JSON.parse(await answer.text())
    id = stored.entity.id
  }
  return id
}
