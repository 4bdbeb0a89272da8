import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { steadyClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { type Running, startServer } from '../start.ts'

// Runs consoles for journeys in one process, each on its own store, so that code is loaded and compiled only once. PUT
// /<port> starts a console with the settings in the body, DELETE stops it, POST advances its clock by the milliseconds in the body.

const consoles = new Map<string, Running>()
const advances = new Map<string, number>()
const clock = steadyClock()

async function answer(request: IncomingMessage): Promise<void> {
  const port = (request.url ?? '').slice(1)
  if (request.method === 'PUT') {
    const config = readConfig({ ...JSON.parse(await text(request)), CADMUS_PORT: port })
    const now = () => clock() + (advances.get(port) ?? 0)
    consoles.set(port, await startServer(config, { now }))
    return
  }
  if (request.method === 'POST') {
    advances.set(port, (advances.get(port) ?? 0) + Number(await text(request)))
    return
  }
  const running = consoles.get(port)
  consoles.delete(port)
  advances.delete(port)
  await running?.close()
}

createServer((request, response) => {
  answer(request).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  )
}).listen(Number(process.argv[2]), '127.0.0.1')
