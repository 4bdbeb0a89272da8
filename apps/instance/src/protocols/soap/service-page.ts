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
  const operations = apiOperations(api).map(({ name }) => `<li><code>${xmlText(name)}</code></li>`)
  return page(
    api,
    `<p>Document/literal, SOAP 1.1 and 1.2. Its description is at <a href="${xmlText(wsdlAddress)}">${xmlText(wsdlAddress)}</a>.</p>
      <p>${explorerLink(api)}</p>
      <h2>Operations</h2>
      <ul>
        ${operations.join('\n        ')}
      </ul>`,
  )
}

/** What a person is shown who is not let in: why, and where one signs in. */
export function refusedPage(api: Api, why: string): string {
  return page(
    api,
    `<p>${xmlText(why)}</p>
      <p>One signs in at the ${explorerLink(api)}, where the description can be downloaded.</p>`,
  )
}

function explorerLink({ namespace }: Api): string {
  return `<a href="/api-explorer?package=${xmlText(encodeURIComponent(namespace))}">API explorer</a>`
}

function page(api: Api, content: string): string {
  const title = xmlText(`SOAP service of ${api.title}`)
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
      ${content}
    </main>
  </body>
</html>
`
}
