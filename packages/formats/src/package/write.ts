import type { Api } from '@cadmus/model/api/api'
import { canonicalJson } from '@cadmus/model/content'
import { packageDatabaseTable } from '@cadmus/model/package-databases'
import { apiOf, resolvePackage } from '@cadmus/sql/api-of'
import { databases } from '@cadmus/sql/databases'
import { databaseScript } from '@cadmus/sql/script'
import type { Schema } from '@cadmus/sql/tree'
import { writeDataModel } from '../data-model/write.ts'
import { sdlOf } from '../graphql/write.ts'
import { openApiOf } from '../openapi/write.ts'
import { wsdlOf } from '../wsdl/write.ts'
import { apiServices } from './api-services.ts'
import { readersOf, type PackageParts, type PackageTable } from './package-parts.ts'
import { packageId, writePackageXml } from './package-xml.ts'
import { packageModelOf, type PackageSource } from './package-model.ts'
import { databaseTypeFor, packageProperties } from './properties.ts'
import { isPackageName } from './read.ts'
import { readmeOf } from './readme.ts'
import { restDefinition, soapDefinition } from './api-definitions.ts'
import { setupService } from './setup.ts'
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
    ['resources/cadmus/model.json', `${canonicalJson(model)}\n`],
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
