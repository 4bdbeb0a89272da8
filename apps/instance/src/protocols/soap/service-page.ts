import type { Api } from '@cadmus/model/api/api'
import { apiOperations } from '@cadmus/formats/api-operations'
import { xmlText } from '@cadmus/formats/xml'
import type { FastifyInstance } from 'fastify'
import { readFileSync } from 'node:fs'

const style = readFileSync(new URL('page/service.css', import.meta.url), 'utf8')

export function registerServiceStyle(app: FastifyInstance): void {
  app.get('/soap-page/service.css', async (_request, reply) => {
    return reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(style)
  })
}

/** What a person is shown at the address of a service: where its description is, and what can be asked of it. */
export function servicePage(api: Api, wsdlAddress: string): string {
  const title = xmlText(`SOAP service of ${api.title}`)
  const operations = apiOperations(api).map(({ name }) => `<li><code>${xmlText(name)}</code></li>`)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/soap-page/service.css">
    <title>${title}</title>
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      <p>Document/literal, SOAP 1.1 and 1.2. Its description is at <a href="${xmlText(wsdlAddress)}">${xmlText(wsdlAddress)}</a>.</p>
      <p><a href="/api-explorer?package=${xmlText(encodeURIComponent(api.namespace))}">API explorer</a></p>
      <h2>Operations</h2>
      <ul>
        ${operations.join('\n        ')}
      </ul>
    </main>
  </body>
</html>
`
}
