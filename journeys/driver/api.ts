import type { Call, CallAnswer, CallInput } from '@cadmus/model/contract/call'
import { changeDiagramView, createDiagramView, listDiagramViews } from '@cadmus/model/contract/diagram'
import {
  addRelationship,
  createEntity,
  deleteEntity,
  getEntity,
  listEntities,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { getInstanceDatabase } from '@cadmus/model/contract/instance'
import {
  addManifestVersion,
  addSubManifests,
  createManifest,
  listManifestEntities,
  listManifests,
} from '@cadmus/model/contract/manifest'
import { buildManifest, getPackageStatus, uploadPackage } from '@cadmus/model/contract/package'
import { getScopeMatrix } from '@cadmus/model/contract/scope-matrix'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type Publication = { manifestName: string; name: string; instanceUrl: string }
type NewEntity = CallInput<typeof createEntity>['body']['entity']

/** API calls as the signed-in user of the page, which prepare test data. `header` names the organisation. */
export function apiOf(page: Page, organisation = 'ACME', header = 'X-Organisation-Code') {
  const base = { page, organisation, header }
  const expectBuilt = async (packageId: number) => {
    const query = { packageIds: String(packageId) }
    const isOver = async () => (await callApi(base, getPackageStatus, { query })).packages[0]?.status === 'SUCCESS'
    await expect.poll(isOver).toBe(true)
  }
  return {
    async createEntity(entity: NewEntity, targetManifestId = -1): Promise<EntityAnswer> {
      return (await callApi(base, createEntity, { body: { entity, targetManifestId } })).entity
    },
    /** Overwrites the description without a version check, like a concurrent change of another user. */
    async describe(id: number, description: string): Promise<void> {
      await this.updateEntity(id, { description })
    },
    /** Overwrites fields of an entity; attributes are changed one by one, and omitted ones are removed. */
    async updateEntity(
      id: number,
      {
        description,
        attribute = same,
      }: { description?: string; attribute?: (one: SentAttribute) => SentAttribute | null },
    ): Promise<void> {
      const { entity } = await callApi(base, getEntity, { params: { id } })
      const typeAttributes = entity.typeAttributes.flatMap(
        ({ nullable: isNullable, ...rest }) => attribute({ ...rest, isNullable }) ?? [],
      )
      const { name, extendsEntity } = entity
      const body = { entity: { name, extendsEntity, typeAttributes, description: description ?? entity.description } }
      await callApi(base, updateEntity, { params: { id }, body })
    },
    async entityOf(id: number): Promise<EntityAnswer> {
      return (await callApi(base, getEntity, { params: { id } })).entity
    },
    async deleteEntity(id: number): Promise<void> {
      await callApi(base, deleteEntity, { params: { id } })
    },
    async createManifest(manifestName: string, entities: number[] = []): Promise<number> {
      return (await callApi(base, createManifest, { body: { manifestName, entities } })).manifest.id
    },
    async members(id: number): Promise<CallAnswer<typeof listManifestEntities>> {
      return callApi(base, listManifestEntities, { params: { id }, query: { limit: 1000 } })
    },
    async addSubManifest(id: number, child: number): Promise<void> {
      await callApi(base, addSubManifests, { params: { id }, body: { submanifests: [child] } })
    },
    async scopeMatrix(id: number): Promise<CallAnswer<typeof getScopeMatrix>> {
      return callApi(base, getScopeMatrix, { params: { id } })
    },
    async relate(id: number, target: EntityAnswer, typeAttributeName: string): Promise<void> {
      const key = target.typeAttributes.find(attribute => attribute.isPrimaryKey)?.name ?? ''
      await callApi(base, addRelationship, {
        params: { id },
        body: {
          associatedEntityId: target.id,
          associatedEntityTypeAttribute: key,
          foreignKeyAttribute: { typeAttributeName },
        },
      })
    },
    async entityNamed(name: string, filter: 'PRIVATE' | 'DEFAULT' = 'PRIVATE'): Promise<number> {
      const { entity } = await callApi(base, listEntities, { query: { filter, search: name } })
      return idOf(entity, name)
    },
    /** Builds a package and waits until it is finished. */
    async build(id: number): Promise<void> {
      const { packageId } = await callApi(base, buildManifest, { params: { id }, body: {} })
      await expectBuilt(packageId)
    },
    /** Builds a package with a REST API on the instance's embedded database and uploads it, without starting it. */
    async publish(id: number, { manifestName, name, instanceUrl }: Publication): Promise<void> {
      const input = { body: { instanceUrl, name: 'embedded' } }
      const { url, username } = (await callApi(base, getInstanceDatabase, input)).database
      const connectionPoolInfo = { type: 'HSQL' as const, url, username, databaseName: 'embedded' }
      const configurationBuild = { apiConfiguration: { type: ['REST' as const] } }
      const properties = { manifestName, packageProperties: { connectionPoolInfo }, configurationBuild }
      const body = { customPackageName: name, manifestProperties: [properties] }
      const { packageId, version } = await callApi(base, buildManifest, { params: { id }, body })
      await expectBuilt(packageId)
      const upload = { instanceUrl, version, state: 'LOADED' as const }
      await callApi(base, uploadPackage, { params: { name }, body: upload })
    },
    async addManifestVersion(id: number, version: string): Promise<void> {
      await callApi(base, addManifestVersion, { params: { id }, query: { version } })
    },
    async diagramViews(id: number): Promise<CallAnswer<typeof listDiagramViews>> {
      return callApi(base, listDiagramViews, { params: { id } })
    },
    async createDiagram(id: number, body: CallInput<typeof createDiagramView>['body']): Promise<void> {
      await callApi(base, createDiagramView, { params: { id }, body })
    },
    async changeDiagram(id: number, uid: string, body: CallInput<typeof changeDiagramView>['body']): Promise<void> {
      await callApi(base, changeDiagramView, { params: { id, uid }, body })
    },
    async manifestNamed(name: string): Promise<number> {
      const { manifests } = await callApi(base, listManifests, { query: { filter: 'PRIVATE', search: name } })
      return idOf(manifests, name)
    },
  }
}

type SentAttribute = Omit<EntityAnswer['typeAttributes'][number], 'nullable'> & { isNullable: boolean }
const same = (attribute: SentAttribute): SentAttribute | null => attribute

type Base = { page: Page; organisation: string; header: string }

async function callApi<C extends Call>(base: Base, call: C, input: Partial<CallInput<C>>): Promise<CallAnswer<C>> {
  const { params = {}, query = {}, body } = { params: {}, query: {}, body: undefined, ...input }
  const path = Object.entries(params).reduce((text, [key, value]) => text.replace(`{${key}}`, String(value)), call.path)
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
  const answer = await base.page.request.fetch(`${path}?${search}`, {
    method: call.method,
    headers: { [base.header]: base.organisation, 'If-Match': '*' },
    ...(body === undefined ? {} : { data: body }),
  })
  if (!answer.ok()) throw new Error(`${call.method} ${path} answered ${answer.status()}: ${await answer.text()}`)
  return answer.json()
}

function idOf(items: readonly { id: number; name: string }[], name: string): number {
  const match = items.find(item => item.name === name)
  if (!match) throw new Error(`There is no ${name}.`)
  return match.id
}
