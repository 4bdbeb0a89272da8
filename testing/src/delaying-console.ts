import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { startConsole } from './console.ts'

// A faulty console that acknowledges saves at once and forwards them later. The crash proof runs against it to show
// that its checker detects lost saves. It is started like the console; the real one runs behind it and ends with it.

const DELAY = 400

const { CADMUS_PORT, CADMUS_DATA_DIR, ...others } = process.env
const settings = Object.entries(others).flatMap(([name, value]) =>
  name.startsWith('CADMUS_') && value !== undefined ? [[name, value] as const] : [],
)
const real = await startConsole({
  env: Object.fromEntries(settings),
  ...(CADMUS_DATA_DIR === undefined ? {} : { dataDir: CADMUS_DATA_DIR }),
})

createServer((request, response) => void answer(request, response)).listen(Number(CADMUS_PORT), '127.0.0.1')

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const body = Buffer.concat(chunks)
  if (request.method === 'PUT') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    await wait(DELAY)
    await forward(request, body)
    return
  }
  const passed = await forward(request, body)
  response
    .writeHead(passed.status, { 'content-type': passed.headers.get('content-type') ?? 'text/plain' })
    .end(Buffer.from(await passed.arrayBuffer()))
}

function forward({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Response> {
  const forwarded = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name)
      ? [[name, value] as const]
      : [],
  )
  return fetch(new URL(url, real.url), {
    method,
    headers: Object.fromEntries(forwarded),
    ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
  })
}
