import { createServer } from 'node:http'

/** An instance of another make, such as the integration platform's own: `answers` by path, 404 to anything else. */
export async function startOtherInstance(
  answers: Readonly<Record<string, object>>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(({ url = '' }, response) => {
    const found = answers[url.split('?')[0] ?? '']
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ?? { message: 'There is nothing.' }))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The instance does not listen on a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => new Promise(resolve => void server.close(() => resolve())),
  }
}
