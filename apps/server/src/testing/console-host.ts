import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { readConfig } from '../config.ts'
import { type Running, startServer } from '../start.ts'

// Runs consoles for journeys in one process, each on its own store, so that code is loaded and compiled only once. PUT
// /<port> starts a console with the settings in the body, DELETE stops it.

const consoles = new Map<string, Running>()

async function answer(request: IncomingMessage): Promise<void> {
  const port = (request.url ?? '').slice(1)
  if (request.method === 'PUT') {
    consoles.set(port, await startServer(readConfig({ ...JSON.parse(await text(request)), CADMUS_PORT: port })))
    return
  }
  const running = consoles.get(port)
  consoles.delete(port)
  await running?.close()
}

createServer((request, response) => {
  answer(request).then(
    () => response.end(),
    (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  )
}).listen(Number(process.argv[2]), '127.0.0.1')
