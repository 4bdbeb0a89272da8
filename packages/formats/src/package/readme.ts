import type { Api } from '@cadmus/model/api/api'
import { visibleText } from '@cadmus/model/display'

const addresses = {
  REST: (namespace: string) => `REST: \`/api/${namespace}/1.0\`, described by \`resources/openapi.json\``,
  SOAP: (namespace: string) => `SOAP: \`/soap/${namespace}/1.0\`, described at \`?wsdl\``,
  GRAPHQL: (namespace: string) => `GraphQL: \`/graphql/${namespace}/1.0\``,
} as const

export function readmeOf(api: Api, script: string): string {
  const served = api.protocols.map(protocol => `- ${addresses[protocol](api.namespace)}`)
  const lines = [
    `# ${plain(api.name)} ${plain(api.version)}`,
    '',
    ...(api.description === '' ? [] : [plain(api.description), '']),
    ...(served.length === 0 ? ['It contains the database tables and no API.'] : ['It serves:', '', ...served]),
    '',
    `The tables are in \`${script}\`. The settings are in \`conf/properties/package.properties\`: set the password of the database`,
    'there, or when the package is uploaded.',
    '',
    '## Entities',
    '',
    ...api.entities.map(
      ({ name, description }) => `- ${plain(name)}${description === '' ? '' : `: ${plain(description)}`}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** Removes line breaks and escapes Markdown. */
function plain(text: string): string {
  return visibleText(text).replace(/[\\`*_{}[\]<>()#+!|]/g, '\\$&')
}
