import { createDiagramView } from '@cadmus/model/contract/diagram'
import { createEntity, getEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { type EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { CallId } from '@cadmus/model/testing/calls'
import { editFormat } from '@cadmus/model/edits/edit-forms'
import { addSubManifests, listManifestLogs } from '@cadmus/model/contract/manifest'
import { buildManifest } from '@cadmus/model/contract/package'
import { randomUUID } from 'node:crypto'
import type { ConsoleClient } from './client.ts'
import type { TestConsole } from './console.ts'
import { addManifest, aRelationship } from './entities.ts'
import { built } from './packages.ts'
import { tokenBody } from './personal-tokens.ts'

export type CallInput = Parameters<ConsoleClient['send']>[1]

/** Test objects of ACME: `entity` is in `manifest` and refers to `target`; `sub` is its sub-manifest. */
export type TestObjects = {
  entity: number
  target: number
  manifest: number
  sub: number
  free: number
  entityLog: number
  manifestLog: number
  token: number
  content: string
  package: number
  packageName: string
  view: string
}
export const nothing: TestObjects = {
  entity: 0,
  target: 0,
  manifest: 0,
  sub: 0,
  free: 0,
  entityLog: 0,
  manifestLog: 0,
  token: 0,
  content: '{}',
  package: 0,
  packageName: 'none',
  view: 'none',
}

/** An address that the console must not call. */
const closedPort = 'http://127.0.0.1:9'

const describing = { kind: 'changeEntity', change: { description: 'edited' } }
const configuring = {
  kind: 'changeConfiguration',
  changes: [{ path: ['packageProperties', 'connectionPoolInfo', 'url'], value: 'edited' }],
}
const renaming = () => ({ kind: 'changeManifest', change: { name: newName() } })
const editBody = () => ({ format: editFormat, operationId: randomUUID(), base: '*' })

const nowWithItself = { before: { kind: 'now' }, after: { kind: 'now' } }

/** One valid request per call, on ACME's test objects. The type requires an entry for every new call. */
export const requests = {
  authorize: () => ({}),
  signIn: () => ({ query: { code: 'c', state: 's' } }),
  refreshSession: () => ({}),
  getSession: () => ({}),
  signOut: () => ({}),
  beginOnboarding: () => ({}),
  listTokens: () => ({}),
  createToken: () => ({ body: tokenBody({ name: newName() }) }),
  revokeToken: ({ token }) => ({ params: { id: token } }),
  getNavigator: () => ({}),
  getNavigatorVersion: () => ({}),
  locateDocuments: ({ entity, manifest }) => ({ query: { entities: String(entity), manifests: String(manifest) } }),
  generateNavigator: () => ({}),
  getLibraryProgress: () => ({}),
  listManifestFolders: () => ({}),
  listFolderManifests: () => ({ params: { folder: 'user-defined' } }),
  listManifestLogs: () => ({}),
  downloadManifestLogs: () => ({}),
  getManifestLog: ({ manifestLog }) => ({ params: { id: manifestLog } }),
  restoreManifestLog: ({ manifestLog }) => ({ params: { id: manifestLog }, body: {} }),
  getManifestVersionContent: ({ manifest }) => ({ params: { id: manifest }, query: { version: '1.0.0' } }),
  importManifest: () => ({ files: { manifestFile: { name: 'a.zip', bytes: new Uint8Array([1]) } } }),
  getImportProgress: () => ({ params: { key: randomUUID() } }),
  downloadImportReport: () => ({ params: { key: randomUUID() } }),
  cancelImport: () => ({ params: { key: randomUUID() } }),
  reviewImport: () => ({ files: { manifestFile: { name: 'a.zip', bytes: new Uint8Array([1]) } } }),
  listReviewedEntities: () => ({ params: { key: randomUUID() } }),
  listReviewFindings: () => ({ params: { key: randomUUID() } }),
  checkReviewed: () => ({ params: { key: randomUUID() }, body: {} }),
  importReviewed: () => ({ params: { key: randomUUID() }, body: {} }),
  listExistingEntities: ({ manifest }) => ({ params: { key: randomUUID() }, query: { manifestId: manifest } }),
  importReviewedInto: ({ manifest }) => ({ params: { key: randomUUID(), id: manifest }, body: { known: [] } }),
  discardReview: () => ({ params: { key: randomUUID() } }),
  createManifestByWizard: ({ free }) => ({ body: { manifestName: newName(), entities: [free] } }),
  getManifest: ({ manifest }) => ({ params: { id: manifest } }),
  deleteManifest: ({ sub }) => ({ params: { id: sub } }),
  addEntitiesToManifest: ({ manifest, free }) => ({ params: { id: manifest }, body: { entityIds: [free] } }),
  removeEntityFromManifest: ({ manifest, entity }) => ({ params: { id: manifest, entityId: entity } }),
  removeSubManifest: ({ manifest, sub }) => ({ params: { id: manifest, subId: sub } }),
  createManifest: ({ free }) => ({ body: { manifestName: newName(), entities: [free] } }),
  updateManifest: ({ manifest }) => ({ params: { id: manifest }, body: { manifestName: newName() }, ifMatch: '*' }),
  addSubManifests: ({ sub, manifest }) => ({ params: { id: sub }, body: { submanifests: [manifest] } }),
  listManifestReferences: ({ sub }) => ({ params: { id: sub } }),
  listManifestParents: ({ sub }) => ({ params: { id: sub } }),
  listManifests: () => ({}),
  listOrganisationManifests: () => ({}),
  listManifestEntities: ({ manifest }) => ({ params: { id: manifest } }),
  listSubManifests: ({ manifest }) => ({ params: { id: manifest } }),
  validateManifest: ({ manifest }) => ({ params: { id: manifest } }),
  exportManifest: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  previewExport: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  listNamesakes: ({ manifest }) => ({ params: { id: manifest } }),
  resolveNamesakes: ({ manifest }) => ({ params: { id: manifest }, body: { strategy: 'prefix' }, ifMatch: '*' }),
  getManifestPaths: ({ manifest }) => ({ params: { id: manifest } }),
  readEntityStates: ({ entity }) => ({ body: { entities: [{ id: entity, change: 'last' as const }] } }),
  listManifestChanges: ({ manifest }) => ({ params: { id: manifest } }),
  getScopeMatrix: ({ manifest }) => ({ params: { id: manifest } }),
  getManifestConfiguration: ({ manifest }) => ({ params: { id: manifest } }),
  saveManifestConfiguration: ({ manifest }) => ({ params: { id: manifest }, body: {}, ifMatch: '*' }),
  addManifestVersion: ({ manifest }) => ({ params: { id: manifest }, query: { version: '9.0.0' } }),
  listManifestVersions: ({ manifest }) => ({ params: { id: manifest } }),
  deleteManifestVersion: ({ manifest }) => ({ params: { id: manifest }, query: { version: '1.0.0' } }),
  listEntityFolders: () => ({}),
  listFolderEntities: () => ({ params: { folder: 'user-defined' } }),
  listEntityLogs: () => ({}),
  downloadEntityLogs: () => ({}),
  getEntityLog: ({ entityLog }) => ({ params: { id: entityLog } }),
  restoreEntityLog: ({ entityLog }) => ({ params: { id: entityLog }, body: {} }),
  getEntityVersionContent: ({ entity }) => ({ params: { id: entity }, query: { version: '1.0.0' } }),
  listEntityReferences: ({ entity }) => ({ params: { id: entity } }),
  getEntity: ({ entity }) => ({ params: { id: entity } }),
  getEntityImpact: ({ entity }) => ({ params: { id: entity }, body: {} }),
  getEntityScopes: ({ entity }) => ({ params: { id: entity } }),
  deleteEntity: ({ free }) => ({ params: { id: free } }),
  listOrganisationEntities: () => ({}),
  listEntities: () => ({}),
  searchAnything: () => ({ query: { search: 'a' } }),
  searchAttributes: () => ({ query: { search: 'a' } }),
  createEntity: ({ manifest }) => ({ body: { entity: { name: newName() }, targetManifestId: manifest } }),
  createEntityByWizard: ({ free }) => ({ body: { entity: { name: newName() }, duplicateEntityId: free } }),
  updateEntity: ({ entity }) => ({ params: { id: entity }, body: { entity: { name: newName() } }, ifMatch: '*' }),
  getManifestDiagram: ({ manifest }) => ({ params: { id: manifest } }),
  compareManifest: ({ manifest }) => ({ params: { id: manifest }, body: nowWithItself }),
  compareManifestEntity: ({ manifest }) => ({
    params: { id: manifest },
    body: { ...nowWithItself, uid: randomUUID() },
  }),
  compareConsequences: ({ manifest }) => ({
    params: { id: manifest },
    body: { ...nowWithItself, database: 'postgresql' },
  }),
  compareMigration: ({ manifest }) => ({
    params: { id: manifest },
    body: { ...nowWithItself, database: 'postgresql' },
  }),
  compareDiagram: ({ manifest }) => ({ params: { id: manifest }, body: nowWithItself }),
  compareDiagramRows: ({ manifest }) => ({
    params: { id: manifest },
    body: { ...nowWithItself, uids: [randomUUID()] },
  }),
  findProblems: ({ manifest }) => ({ params: { id: manifest }, body: { entities: [] } }),
  findFixes: ({ manifest }) => ({ params: { id: manifest }, body: { entities: [], code: 'noKey' } }),
  readEntityContents: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  readSqlText: ({ manifest }) => ({ params: { id: manifest }, body: { sql: 'CREATE TABLE a (b INT);' } }),
  getEntityDiagram: ({ entity }) => ({ params: { id: entity } }),
  getDiagramRows: ({ entity }) => ({ query: { entities: String(entity) } }),
  listDiagramViews: ({ manifest }) => ({ params: { id: manifest } }),
  createDiagramView: ({ manifest }) => ({
    params: { id: manifest },
    body: { operationId: randomUUID(), name: newName(), shared: true },
  }),
  changeDiagramView: ({ manifest, view }) => ({
    params: { id: manifest, uid: view },
    body: { operationId: randomUUID(), base: 1, changes: { a: { x: 1, y: 2, hidden: false } } },
  }),
  deleteDiagramView: ({ manifest, view }) => ({ params: { id: manifest, uid: view } }),
  addRelationship: ({ entity, free }) => ({
    params: { id: entity },
    body: aRelationship({ id: free }, newName()),
    ifMatch: '*',
  }),
  updateRelationship: ({ entity, target }) => ({
    params: { id: entity, associatedEntityId: target },
    query: { associatedAttributeName: 'targetId' },
    body: aRelationship({ id: target }, 'targetId'),
    ifMatch: '*',
  }),
  deleteRelationship: ({ entity, target }) => ({
    params: { id: entity, associatedEntityId: target },
    query: { associatedAttributeName: 'targetId' },
    ifMatch: '*',
  }),
  importEntity: ({ manifest }) => ({
    query: { targetManifest: manifest },
    files: { entityFile: { name: 'a.json', bytes: anEntityFile() } },
  }),
  addEntityVersion: ({ entity }) => ({ params: { id: entity }, query: { version: '9.0.0' } }),
  listEntityVersions: ({ entity }) => ({ params: { id: entity } }),
  deleteEntityVersion: ({ entity }) => ({ params: { id: entity }, query: { version: '1.0.0' } }),
  exportEntity: ({ entity }) => ({ params: { id: entity } }),
  saveEntityEdits: ({ entity }) => ({ params: { id: entity }, body: { ...editBody(), edits: [describing] } }),
  listEntityEdits: ({ entity }) => ({ params: { id: entity } }),
  getEntityEditStates: ({ entity }) => ({ params: { id: entity, sequence: 999_999_999 } }),
  getAttributeBiography: ({ entity }) => ({ params: { id: entity, uid: randomUUID() } }),
  settleEntityEdits: ({ entity }) => ({ params: { id: entity, operationId: randomUUID() } }),
  saveManifestEdits: ({ manifest }) => ({ params: { id: manifest }, body: { ...editBody(), edits: [renaming()] } }),
  listManifestEdits: ({ manifest }) => ({ params: { id: manifest } }),
  getManifestEditStates: ({ manifest }) => ({ params: { id: manifest, sequence: 999_999_999 } }),
  settleManifestEdits: ({ manifest }) => ({ params: { id: manifest, operationId: randomUUID() } }),
  saveChanges: ({ entity, manifest }) => ({
    body: {
      format: editFormat,
      operationId: randomUUID(),
      changes: [
        { kind: 'entity', id: entity, base: '*', edits: [describing] },
        { kind: 'configuration', id: manifest, base: '*', edits: [configuring] },
      ],
    },
  }),
  saveConfigurationEdits: ({ manifest }) => ({
    params: { id: manifest },
    body: { ...editBody(), edits: [configuring] },
  }),
  listConfigurationEdits: ({ manifest }) => ({ params: { id: manifest } }),
  getConfigurationEditStates: ({ manifest }) => ({ params: { id: manifest, sequence: 999_999_999 } }),
  settleConfigurationEdits: ({ manifest }) => ({ params: { id: manifest, operationId: randomUUID() } }),
  adminCreateEntity: () => ({ body: { org: 'ACME', entity: { name: newName() } } }),
  adminCreateManifest: ({ free }) => ({
    body: { org: 'ACME', manifest: { manifestName: newName(), entities: [free] } },
  }),
  adminReloadManifest: ({ manifest }) => ({ params: { id: manifest } }),
  adminValidateEntityContent: ({ entity, content }) => ({ body: { id: entity, content } }),
  adminUpdateEntityContent: ({ entity, content }) => ({ body: { id: entity, content }, ifMatch: '*' }),
  adminReloadEntity: ({ entity }) => ({ params: { id: entity } }),
  adminListOrganisations: () => ({}),
  adminCreateOrganisation: () => ({ body: { code: newName().toUpperCase(), name: 'New' } }),
  adminGetOrganisation: () => ({ params: { code: 'ACME' } }),
  adminUpdateOrganisation: () => ({ params: { code: 'ACME' }, body: { name: 'Other' }, ifMatch: '*' }),
  adminListMembers: () => ({ params: { code: 'ACME' } }),
  adminSetMember: () => ({ params: { code: 'ACME', userId: 'u' }, body: { subscription: 1 }, ifMatch: '*' }),
  adminRemoveMember: () => ({ params: { code: 'ACME', userId: 'u' }, ifMatch: '*' }),
  adminListOrganisationLogs: () => ({ params: { code: 'ACME' } }),
  adminListUsers: () => ({}),
  adminGetOrganisationSummary: () => ({ params: { code: 'ACME' } }),
  adminListOrganisationEntities: () => ({ params: { code: 'ACME' } }),
  adminListOrganisationManifests: () => ({ params: { code: 'ACME' } }),
  buildManifest: ({ manifest }) => ({ params: { id: manifest }, body: { customPackageName: newName() } }),
  getBuildSettings: ({ manifest }) => ({ params: { id: manifest } }),
  compareBuild: ({ manifest }) => ({ params: { id: manifest }, body: {} }),
  listPackages: () => ({}),
  getPackageStatus: ({ package: id }) => ({ query: { packageIds: String(id) } }),
  downloadPackage: ({ package: id }) => ({ params: { id }, query: { version: '1.0.0' } }),
  deletePackage: ({ package: id }) => ({ params: { id }, query: { version: '1.0.0' } }),
  uploadPackage: ({ packageName }) => ({
    params: { name: packageName },
    body: { instanceUrl: closedPort, version: '1.0.0' },
  }),
  previewUpload: ({ packageName }) => ({
    params: { name: packageName },
    body: { instanceUrl: closedPort, version: '1.0.0' },
  }),
  listPublications: () => ({}),
  checkRebuild: ({ packageName }) => ({ params: { name: packageName }, body: {} }),
  previewRebuild: ({ packageName }) => ({ params: { name: packageName }, body: { instanceUrl: closedPort } }),
  rebuildPackage: ({ packageName }) => ({ params: { name: packageName }, body: {} }),
  adminListPackages: () => ({ params: { code: 'ACME' } }),
  listWorkspaces: () => ({}),
  listWorkspacePackages: () => ({ body: { instanceUrl: closedPort } }),
  listInstancePackages: () => ({ body: { instanceUrl: closedPort } }),
  listInstanceDatabases: () => ({ body: { instanceUrl: closedPort } }),
  getInstanceDatabase: () => ({ body: { instanceUrl: closedPort, name: 'embedded' } }),
  testInstance: () => ({ body: { instanceUrl: closedPort } }),
} satisfies Record<CallId, (things: TestObjects) => CallInput>

/** Expected errors of permitted requests on missing, locked or unreachable objects; all others succeed. */
export const answers: Partial<Record<CallId, string>> = {
  importManifest: '400 invalid',
  importEntity: '400 not-an-entity',
  getImportProgress: '404 not_found',
  downloadImportReport: '404 not_found',
  cancelImport: '404 not_found',
  reviewImport: '400 invalid',
  listReviewedEntities: '404 not_found',
  listReviewFindings: '404 not_found',
  checkReviewed: '404 not_found',
  importReviewed: '404 not_found',
  listExistingEntities: '404 not_found',
  importReviewedInto: '404 not_found',
  discardReview: '404 not_found',
  getEntityEditStates: '404 not_found',
  getAttributeBiography: '404 not_found',
  compareManifestEntity: '404 not_found',
  getManifestEditStates: '404 not_found',
  getConfigurationEditStates: '404 not_found',
  adminSetMember: '404 not_found',
  adminRemoveMember: '404 not_found',
  // A sign-in that was never started.
  signIn: '401 state_mismatch',
  // A cyclic sub-manifest, and the only version.
  addSubManifests: '400 invalid',
  deleteManifestVersion: '400 invalid',
  deleteEntityVersion: '400 invalid',
  // These apply only to library objects.
  adminReloadManifest: '403 locked',
  adminReloadEntity: '403 locked',
  // A forbidden address.
  uploadPackage: '403 instance_forbidden',
  previewUpload: '403 instance_forbidden',
  previewRebuild: '403 instance_forbidden',
  listWorkspacePackages: '403 instance_forbidden',
  listInstancePackages: '403 instance_forbidden',
  listInstanceDatabases: '403 instance_forbidden',
  getInstanceDatabase: '403 instance_forbidden',
  testInstance: '403 instance_forbidden',
}

/**
 * Creates the test objects in the client's organisation, with names containing the word. Creates no access token, and a
 * package only on request.
 */
export async function createTestObjects(
  server: TestConsole,
  client: ConsoleClient,
  word: string,
  { withPackage = true }: { withPackage?: boolean } = {},
): Promise<TestObjects> {
  const organisation = client.organisation ?? ''
  const manifest = await addManifest(server, `${word}_Manifest`, organisation)
  const sub = await addManifest(server, `${word}_Sub`, organisation)
  await client.call(addSubManifests, { params: { id: manifest }, body: { submanifests: [sub] } })
  const create = async (suffix: string, body: object = {}): Promise<EntityAnswer> =>
    (await client.call(createEntity, { body: { entity: { name: `${word}_${suffix}`, ...body } } })).entity
  const target = await create('Target')
  const free = await create('Free')
  const { entity } = await client.call(createEntity, {
    body: {
      entity: { name: `${word}_Entity`, entityAttributes: [aRelationship(target, 'targetId')] },
      targetManifestId: manifest,
    },
  })
  const viewBody = { operationId: randomUUID(), name: `${word} view`, shared: true }
  const { view } = await client.call(createDiagramView, { params: { id: manifest }, body: viewBody })
  const { content } = (await client.call(getEntity, { params: { id: entity.id } })).entity
  const made = withPackage ? await makePackage(client, manifest, word) : {}
  const newest = { query: { limit: 1 } }
  const entityLog = await client.call(listEntityLogs, newest)
  const manifestLog = await client.call(listManifestLogs, newest)
  return {
    ...nothing,
    entity: entity.id,
    target: target.id,
    free: free.id,
    manifest,
    sub,
    entityLog: entityLog.entityLogs[0]?.ID ?? 0,
    manifestLog: manifestLog.manifestLogs[0]?.ID ?? 0,
    content,
    view: view.uid,
    ...made,
  }
}

async function makePackage(client: ConsoleClient, manifest: number, word: string) {
  const body = { customPackageName: `${word}_Package` }
  const { packageId, packageName } = await client.call(buildManifest, { params: { id: manifest }, body })
  await built(client, packageId)
  return { package: packageId, packageName }
}

let names = 0
export function newName(): string {
  return `Stranger${++names}`
}

export function anEntityFile(): Uint8Array {
  return new TextEncoder().encode('{}')
}
