import { createServer } from 'node:http'

/** The database types of the instance: one database each, named after its type. */
export const otherTypes = ['hsql', 'mysql', 'mssql', 'oracle', 'postgresql', 'DB2', 'H2', 'informix']

/** Responses by path: databases, most without an id and one without a type, and packages, two of them built in. */
export const otherAnswers: Readonly<Record<string, object>> = {
  '/esbapi/databases': { items: [...otherTypes.map(type => ({ name: `of-${type}` })), { id: '9', name: 'untyped' }] },
  ...Object.fromEntries(otherTypes.map(type => [`/esbapi/databases/of-${type}`, { type, username: 'ada' }])),
  '/esbapi/databases/untyped': { username: 'ada' },
  '/esbapi/packages': {
    items: [
      { id: '1', name: 'core', version: '1.0.0' },
      { id: '2', name: 'cdm-client', version: '1.0.0' },
      { id: '3', name: 'crm', version: '1.4.0' },
      { id: '4', name: 'billing', version: '2.0.0' },
    ],
  },
}

/** Starts a stub of a third-party instance: responses by path, otherwise 404. */
export async function startOtherInstance(
  answers: Readonly<Record<string, object>>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer(({ url = '' }, response) => {
    const body = answers[url.split('?')[0] ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { message: 'There is nothing.' }))
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The instance does not listen on a port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () => new Promise(resolve => void server.close(() => resolve())),
  }
}
