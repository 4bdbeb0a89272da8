import type { Call, CallAnswer, CallInput } from '@cadmus/model/contract/call'
import {
  addRelationship,
  createEntity,
  deleteEntity,
  getEntity,
  listEntities,
  updateEntity,
} from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import { addSubManifests, createManifest, listManifestEntities, listManifests } from '@cadmus/model/contract/manifest'
import { buildManifest, getPackageStatus } from '@cadmus/model/contract/package'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

type NewEntity = CallInput<typeof createEntity>['body']['entity']

/** API calls as the signed-in user of the page, which prepare test data. `header` names the organisation. */
export function apiOf(page: Page, organisation = 'ACME', header = 'X-Organisation-Code') {
  const base = { page, organisation, header }
  return {
    async createEntity(entity: NewEntity, targetManifestId = -1): Promise<EntityAnswer> {
      return (await callApi(base, createEntity, { body: { entity, targetManifestId } })).entity
    },
    /** Overwrites the description without a version check, like a concurrent change of another user. */
    async describe(id: number, description: string): Promise<void> {
      const { entity } = await callApi(base, getEntity, { params: { id } })
      const typeAttributes = entity.typeAttributes.map(({ nullable: isNullable, ...rest }) => ({ ...rest, isNullable }))
      const { name, extendsEntity } = entity
      const body = { entity: { name, extendsEntity, typeAttributes, description } }
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
      const query = { packageIds: String(packageId) }
      const isOver = async () => (await callApi(base, getPackageStatus, { query })).packages[0]?.status === 'SUCCESS'
      await expect.poll(isOver).toBe(true)
    },
    async manifestNamed(name: string): Promise<number> {
      const { manifests } = await callApi(base, listManifests, { query: { filter: 'PRIVATE', search: name } })
      return idOf(manifests, name)
    },
  }
}

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
