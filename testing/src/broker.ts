import { createServer, type Server } from 'node:http'

// The vitest process starts each shared engine once, on the first request of a test file, and stops it at the end of
// the run. Test files run in processes of their own and send requests over HTTP on the loopback address.

const VARIABLE = 'CADMUS_TEST_BROKER'

export interface SharedEngine {
  readonly url: string
  stop(): Promise<void>
}

/** Whether the process belongs to a vitest run with the settings of this repository. */
export function isTestRun(): boolean {
  return process.env[VARIABLE] !== undefined
}

/** The address of a shared engine or resource; undefined without a broker (scripts, benchmarks). */
export async function askBroker(engine: string): Promise<string | undefined> {
  const broker = process.env[VARIABLE]
  if (broker === undefined) return undefined
  const answer = await fetch(`${broker}/${engine}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

/** Starts the broker; the returned function stops it and all engines that it started. */
export async function startBroker(engines: Record<string, () => Promise<SharedEngine>>): Promise<() => Promise<void>> {
  const started = new Map<string, Promise<SharedEngine>>()
  const server = createServer((request, response) => {
    // A test that blocks its process misses the end of an idle connection, and would use it for the next request.
    response.setHeader('connection', 'close')
    const name = request.url?.slice(1) ?? ''
    const start = engines[name]
    if (start === undefined) {
      response.writeHead(404).end(`There is no shared engine "${name}".`)
      return
    }
    const engine = started.get(name) ?? start()
    started.set(name, engine)
    engine.then(
      ready => response.end(ready.url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const port = await listen(server)
  process.env[VARIABLE] = `http://127.0.0.1:${port}`
  return async () => {
    delete process.env[VARIABLE]
    server.closeAllConnections()
    server.close()
    const engines = await Promise.allSettled(started.values())
    await Promise.all(engines.map(engine => (engine.status === 'fulfilled' ? engine.value.stop() : undefined)))
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('The broker has no port.'))
      else resolve(address.port)
    })
  })
}
