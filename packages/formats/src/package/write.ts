import type { Api } from '@cadmus/model/api/api'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { packagedConfiguration } from '@cadmus/model/configuration'
import { canonicalJson } from '@cadmus/model/content'
import { packageDatabaseTable } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { apiOf, resolvePackage } from '@cadmus/sql/api-of'
import { databases } from '@cadmus/sql/databases'
import { databaseScript } from '@cadmus/sql/script'
import type { Schema } from '@cadmus/sql/tree'
import { writeDataModel } from '../data-model/write.ts'
import { sdlOf } from '../graphql/write.ts'
import type { JsonTree } from '../json-tree.ts'
import { openApiOf } from '../openapi/write.ts'
import { wsdlOf } from '../wsdl/write.ts'
import { restDefinition, soapDefinition } from './api-definitions.ts'
import { apiServices } from './api-services.ts'
import { gloopText, setLine, tryCatch } from './gloop.ts'
import { packageModelOf, type PackageSource } from './package-model.ts'
import { type PackageParts, type PackageTable, readersOf } from './package-parts.ts'
import { packageId, writePackageXml } from './package-xml.ts'
import { databaseTypeFor, packageProperties } from './properties.ts'
import { isPackageName } from './read.ts'
import { sqlServices } from './sql-services.ts'

export type PackageInput = PackageSource & {
  /** Code of the organisation, the prefix of the package's id. */
  readonly organisation: string
}

/**
 * Returns the files of a package by path, for `writeArchive`. Deterministic and without the configuration's secrets.
 * Without an API, writes only schema, settings and model. Throws NameConflictError if two unrelated entities have
 * the same name, and RangeError for an invalid package name.
 */
export function writePackage(input: PackageInput): ReadonlyMap<string, string> {
  const { name, configuration } = input
  if (!isPackageName(name)) throw new RangeError(`'${name.slice(0, 120)}' is not a valid package name.`)
  const model = packageModelOf(input)
  const api = apiOf(model)
  const databaseType = databaseTypeFor(configuration)
  const resolvedModel = resolvePackage(model)
  const { sqlConfiguration } = configuration.configurationBuild
  const { sql, schema } = databaseScript(resolvedModel, databaseType, sqlConfiguration)
  const code = `code/${api.namespace}`
  const script = `resources/schema/${databaseType}.sql`
  const pool = poolOf(input, api)
  const files = new Map([
    ['conf/package.xml', packageXmlOf(input, api)],
    ['conf/properties/package.properties', packageProperties(configuration)],
    [`${code}/config/Setup.gloop`, setupService(pool, packageDatabaseTable[databaseType].properties, script)],
    [script, sql],
    ['resources/cadmus/model.json', modelText(model)],
    ['resources/readme/readme.md', readmeOf(api, script)],
  ])
  if (api.protocols.length > 0) {
    const { applyJoin } = sqlConfiguration
    const models = writeDataModel(resolvedModel, { applyJoin, namespace: api.namespace })
    const parts: PackageParts = {
      api,
      databaseType,
      dialect: databases[databaseType].export,
      pool,
      tables: tablesOf(schema),
      models: new Map(
        [...models.references].map(([id, reference]) => [resolvedModel.byId.get(id)?.name.trim() ?? '', reference]),
      ),
      readers: readersOf(api),
    }
    for (const [path, text] of models.files) files.set(`code/${path}`, text)
    for (const [path, text] of [...sqlServices(parts), ...apiServices(parts)]) files.set(`${code}/${path}`, text)
    for (const [path, text] of protocolFiles(parts)) files.set(path, text)
  }
  return new Map([...files].map(([path, text]) => [`${name}/${path}`, text]))
}

function modelText(model: PackageModel): string {
  return `${canonicalJson({ ...model, configuration: packagedConfiguration(model.configuration) })}\n`
}

/** The definition and the public description of each enabled protocol. */
function protocolFiles(parts: PackageParts): [path: string, text: string][] {
  const { api } = parts
  const folder = `code/${api.namespace}/api/${api.namespace}`
  return api.protocols.flatMap((protocol): [string, string][] => {
    switch (protocol) {
      case 'REST': {
        const description = JSON.stringify(openApiOf(api, { serverUrl: '' }))
        return [
          [`${folder}.api`, restDefinition(parts)],
          ['resources/openapi.json', `${description}\n`],
        ]
      }
      case 'SOAP':
        return [
          [`${folder}_soap.api`, soapDefinition(parts)],
          [`resources/${api.name}.wsdl`, wsdlOf(api, { address: `/soap/${api.namespace}/1.0` })],
        ]
      case 'GRAPHQL':
        return [[`${folder}.graphql`, sdlOf(api)]]
    }
  })
}

function packageXmlOf({ organisation, version }: PackageInput, { namespace }: Api): string {
  const setup = `${namespace}.config.Setup`
  return writePackageXml({
    id: packageId(organisation, namespace),
    version,
    contextPath: `/${namespace}`,
    stateOnStartup: 'started',
    dependencies: [],
    startupServices: [`gloop:${setup}/${setup}`],
  })
}

function poolOf({ configuration }: PackageInput, { namespace }: Api): string {
  const name = configuration.packageProperties.connectionPoolInfo.databaseName.trim()
  return name === '' ? namespace : name
}

function tablesOf({ tables }: Schema): ReadonlyMap<string, PackageTable> {
  return new Map(
    tables.map(({ name, source, columns }) => [
      source.name,
      { name, columns: new Map(columns.map(column => [column.source.name.trim(), column.name])) },
    ]),
  )
}

const addresses = {
  REST: (namespace: string) => `REST: \`/api/${namespace}/1.0\`, described by \`resources/openapi.json\``,
  SOAP: (namespace: string) => `SOAP: \`/soap/${namespace}/1.0\`, described at \`?wsdl\``,
  GRAPHQL: (namespace: string) => `GraphQL: \`/graphql/${namespace}/1.0\``,
} as const

function readmeOf(api: Api, script: string): string {
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

/**
 * The startup service: creates the connection pool from the package's properties, then the tables. Undocumented
 * platform functions are named only here.
 */
function setupService(pool: string, databaseType: string, script: string): string {
  const settings = ['driver', 'connection.url', 'username', 'password']
  const call = (methodName: string, parameters: readonly string[], inputs: readonly JsonTree[]): JsonTree => ({
    type: 'invokeCode',
    className: 'io.toro.martini.SqlMethods',
    methodName,
    parameters,
    inputs,
  })
  return gloopText({
    comments: 'Creates the connection pool, then the tables.',
    steps: [
      call(
        'createPool',
        ['String', 'String', 'String', 'String', 'String'],
        [
          setLine(['name'], pool),
          ...settings.map(setting =>
            setLine([setting.replace('connection.', '')], `'${databaseType}.${setting}'.getPackageProperty()`, true),
          ),
        ],
      ),
      tryCatch(
        [call('executeScript', ['String', 'String'], [setLine(['name'], pool), setLine(['script'], script)])],
        [],
      ),
    ],
  })
}
