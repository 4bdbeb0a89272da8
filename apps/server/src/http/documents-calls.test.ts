import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { startConsole, type TestConsole } from '../testing/console.ts'

/** A row of the specification: the call, and the names in its query, body and answer. */
type Row = readonly [call: string, query?: string, body?: string, answer?: string]

const list = 'totalElements size page result message'
const log = 'offset limit orderBy actionType userId userName userEmail startDate endDate'
const entityBody = 'entity referenceImportPaths traits targetManifestId type version duplicateEntityId'
const payload = 'manifestName duplicateManifest importsPath entities exclusiveEntities subManifests'

const named = z.object({ properties: z.record(z.string(), z.unknown()) })
const described = z.object({
  parameters: z.array(z.object({ in: z.string(), name: z.string() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
  responses: z.record(z.string(), z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) })),
})
const description = z.object({ paths: z.record(z.string(), z.record(z.string(), described)) })

/** All calls printed in section 7 of the two documents. */
describe('The specified calls in the API description', () => {
  let console: TestConsole
  let paths: z.output<typeof description>['paths']
  beforeAll(async () => {
    console = await startConsole()
    paths = description.parse(await (await console.visitor().fetch('/openapi.json')).json()).paths
  })
  afterAll(() => console.stop())

  const namesIn = (content: Record<string, { schema: unknown }> | undefined): string[] =>
    Object.values(content ?? {}).flatMap(({ schema }) => Object.keys(named.safeParse(schema).data?.properties ?? {}))

  /** Returns the names of a row that are missing from the description. */
  function missing([call, ...printed]: Row): string[] {
    const [method = '', path = ''] = call.split(' ')
    const result = paths[path]?.[method.toLowerCase()]
    if (result === undefined) return [call]
    const query = result.parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []))
    const there = [query, namesIn(result.requestBody?.content), namesIn(result.responses['200']?.content)]
    return there.flatMap((names, at) => {
      const requested = (printed[at] ?? '').split(' ').filter(name => name !== '')
      return requested.filter(name => !names.includes(name)).map(name => `${call}: ${name}`)
    })
  }

  it('refer only to schemas of the description', async () => {
    const text = await (await console.visitor().fetch('/openapi.json')).text()
    const all: unknown = JSON.parse(text)
    const partOf = (whole: unknown, name: string): unknown => Reflect.get(Object(whole), name)
    const references = new Set(Array.from(text.matchAll(/"\$ref":"#\/([^"]*)"/g), ([, path = '']) => path))
    expect([...references].filter(path => path.split('/').reduce(partOf, all) === undefined)).toEqual([])
  })

  it(
    'include all calls for entities',
    holds('E7.28', 'E7.31', 'E7.52', 'E7.53', 'E7.54', 'E7.55', 'E7.56', 'E7.13', 'E7.14'),
    () => {
      const rows: Row[] = [
        ['DELETE /1.0/cdm/entity/{id}'],
        ['GET /1.0/cdm/entity/{id}', 'typeAttributeFilter version', '', 'entity'],
        ['GET /api/entities.json', 'filter limit page search', '', `${list} entity`],
        [
          'GET /1.0/cdm/entity',
          'filter limit page search excludedEntity folderFilter pathFilter',
          '',
          `${list} entity`,
        ],
        ['GET /1.0/cdm/entity/folders', 'limit page search', '', 'folders'],
        ['GET /1.0/cdm/entity/folders/{folder}', 'limit page search', '', 'entity'],
        ['POST /1.0/cdm/entity', 'userId', entityBody, 'entity'],
        ['POST /1.0/cdm/entity/wizard', 'userId', entityBody, 'entity'],
        ['PUT /1.0/cdm/entity/{id}', '', entityBody, 'entity'],
        ['POST /1.0/cdm/entity/{id}/associatedEntity', '', 'associatedEntityId', 'entityAttribute'],
        [
          'PUT /1.0/cdm/entity/{id}/associatedEntity/{associatedEntityId}',
          'associatedAttributeName',
          '',
          'entityAttribute',
        ],
        ['DELETE /1.0/cdm/entity/{id}/associatedEntity/{associatedEntityId}', 'associatedAttributeName'],
        ['POST /1.0/cdm/entity/import', 'userId targetManifest', 'entityFile', 'entity'],
        ['POST /1.0/cdm/entity/custom/{id}/version', 'version'],
        ['GET /1.0/cdm/entity/version/content/{id}', 'version', '', 'entity'],
        ['GET /1.0/cdm/entity/custom/{id}/version', '', '', 'entityVersions'],
        ['DELETE /1.0/cdm/entity/custom/{id}/version', 'version'],
        ['GET /1.0/cdm/entity/logs', log, '', 'entityLogs totalElements'],
        ['POST /1.0/cdm/entity/{id}/export', '', '', 'entityDoc fileName'],
      ]
      expect(rows.flatMap(missing)).toEqual([])
    },
  )

  it('describe both names of nullable, the meaning of absent fields, and read-only fields', () => {
    const item = z.object({
      properties: z.record(
        z.string(),
        z.object({ description: z.string().optional(), readOnly: z.boolean().optional() }),
      ),
    })
    const list = z.object({ items: item })
    const entity = z.object({ properties: z.object({ typeAttributes: list, entityAttributes: list }) })
    const body = z.object({ properties: z.object({ entity }) })
    const content = paths['/1.0/cdm/entity/{id}']?.['put']?.requestBody?.content ?? {}
    const { typeAttributes, entityAttributes } = body.parse(content['application/json']?.schema).properties.entity
      .properties
    const reported = [typeAttributes, entityAttributes].map(({ items: { properties } }) => [
      properties['nullable']?.description,
      properties['isNullable']?.description,
      properties['isDefault']?.readOnly,
    ])
    const other = 'Alias of `nullable`.'
    expect(reported).toEqual([
      ['Absent: unchanged; false in a new item.', other, true],
      ['Absent: unchanged; true in a new item.', other, true],
    ])
  })

  it(
    'include all calls for manifests',
    holds('M7.7', 'M7.10', 'M7.18', 'M7.27', 'M7.28', 'M7.37', 'M7.45', 'M7.46', 'M7.49', 'M7.50', 'M7.52', 'M7.3'),
    () => {
      const rows: Row[] = [
        ['DELETE /1.0/cdm/manifest/{id}'],
        ['POST /1.0/cdm/manifest/{id}/entities', '', 'entityIds type'],
        ['DELETE /1.0/cdm/manifest/{id}/entity/{entityId}'],
        ['DELETE /1.0/cdm/manifest/{id}/submanifest/{subId}'],
        ['POST /1.0/cdm/manifest', 'userId', 'manifestName', 'manifest'],
        [
          'POST /1.0/cdm/manifest/wizard',
          'userId',
          `${payload} manifestProperties version generateType type`,
          'generateType manifest',
        ],
        ['PUT /1.0/cdm/manifest/{id}/subManifests', '', 'submanifests'],
        ['GET /1.0/cdm/manifest/{id}/parents', 'limit page', '', 'manifests'],
        ['GET /1.0/cdm/manifest/{id}', '', '', 'manifest'],
        ['GET /1.0/cdm/manifest', 'filter limit page search exclude', '', `${list} manifests`],
        ['GET /api/manifests.json', 'filter limit page search exclude', '', `${list} manifests`],
        ['GET /1.0/cdm/manifest/folders', 'limit page search', '', 'folders'],
        ['GET /1.0/cdm/manifest/folders/{folder}', '', '', 'manifests'],
        ['GET /1.0/cdm/manifest/{id}/entities', 'excludeEntityId limit page search', '', 'entity'],
        ['POST /1.0/cdm/manifest/{id}/validate'],
        ['POST /1.0/cdm/manifest/{id}/export', '', 'databaseType exportType applyAutoIncrement'],
        ['POST /1.0/cdm/manifest/import', 'userId', 'manifestFile'],
        ['GET /1.0/cdm/manifest/{id}/configuration', '', '', 'manifestProperties'],
        ['POST /1.0/cdm/manifest/{id}/configuration', 'userId', 'packageProperties configurationBuild'],
        ['POST /1.0/cdm/manifest/{id}/version', 'version'],
        ['GET /1.0/cdm/manifest/version/content/{id}', 'version', '', 'manifest'],
        ['GET /1.0/cdm/manifest/{id}/version', '', '', 'manifestVersions'],
        ['DELETE /1.0/cdm/manifest/{id}/version', 'version'],
        ['GET /1.0/cdm/manifest/logs', log, '', 'manifestLogs totalElements'],
      ]
      expect(rows.flatMap(missing)).toEqual([])
    },
  )

  it('include all calls for packages and workspaces', () => {
    const request = 'publishAs customPackageName manifestProperties version customBuild'
    const rows: Row[] = [
      ['POST /1.0/cdm/manifest/{id}/build', '', request, 'packageId'],
      ['GET /1.0/cdm/packages', 'filter manifestId manifestName', '', 'packages'],
      ['GET /1.0/cdm/packages/status', 'packageIds', '', 'packages'],
      ['GET /1.0/cdm/packages/{id}/download', 'version'],
      ['DELETE /1.0/cdm/packages/{id}', 'version'],
      ['POST /1.0/cdm/packages/{name}/upload', '', 'instanceUrl version state', 'message result'],
      ['GET /1.0/cdm/workspaces', 'page size search', '', 'items'],
      ['POST /1.0/cdm/workspace/packages', '', '', 'items'],
      ['GET /1.0/cdm/admin/org/{code}/packages', '', '', 'packages'],
    ]
    expect(rows.flatMap(missing)).toEqual([])
  })

  it('include all calls for administration and sign-in', holds('E7.84', 'M7.80', 'M7.91', 'M7.96', 'M7.98'), () => {
    const rows: Row[] = [
      ['POST /1.0/cdm/sso/signin', 'code', '', 'eccUser memberDetails'],
      ['POST /1.0/cdm/sso/refresh', 'refreshToken', '', 'eccOAuthToken'],
      ['PUT /1.0/cdm/admin/reload/manifest/{id}'],
      ['PUT /1.0/cdm/admin/reload/entity/{id}'],
      ['GET /1.0/cdm/admin/org', 'limit page search', '', `${list} organisations`],
      ['GET /1.0/cdm/admin/org/{code}/summary'],
      ['GET /1.0/cdm/admin/org/{code}/entities', 'limit page search', '', 'entities'],
      ['GET /1.0/cdm/admin/org/{code}/manifests', 'limit page search excludeManifest', '', 'manifests'],
      ['POST /1.0/cdm/admin/entity', '', `${entityBody} org`, 'entity'],
      ['POST /1.0/cdm/admin/entity/content/validate', '', 'content'],
      ['PUT /1.0/cdm/admin/entity/content', '', 'content'],
      ['POST /1.0/cdm/admin/manifest', '', 'manifest', 'manifest'],
      ['GET /1.0/cdm/navigator', '', '', 'coreSchema'],
      ['GET /1.0/cdm/navigator/version', '', '', 'buildVersion'],
      ['POST /1.0/cdm/admin/navigator/generate', '', '', 'coreSchema'],
    ]
    expect(rows.flatMap(missing)).toEqual([])
  })
})
