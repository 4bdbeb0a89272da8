import { type GenerateType, newConfiguration, withoutSecrets } from '@cadmus/model/configuration'
import {
  addEntitiesToManifest,
  addManifestVersion,
  addSubManifests,
  createManifest,
  createManifestByWizard,
  deleteManifest,
  deleteManifestVersion,
  getManifest,
  getManifestPaths,
  getManifestVersionContent,
  listFolderManifests,
  listManifestEntities,
  listManifestFolders,
  listManifestParents,
  listManifests,
  listManifestVersions,
  listNamesakes,
  listOrganisationManifests,
  listSubManifests,
  removeEntityFromManifest,
  removeSubManifest,
  resolveNamesakes,
  updateManifest,
} from '@cadmus/model/contract/manifest'
import { manifestAnswer, manifestAsAnswered, type ManifestUpdate } from '@cadmus/model/contract/manifest-shapes'
import { listManifestReferences } from '@cadmus/model/contract/references'
import { changedAnswers } from '@cadmus/model/contract/request-fields'
import { isEqual, isRecord } from '@cadmus/model/equal'
import { mayEditManifest } from '@cadmus/model/locks'
import type { ManifestContent, MemberType } from '@cadmus/model/manifest'
import { messages } from '@cadmus/model/messages'
import { nameConflictTexts } from '@cadmus/model/messages/validation'
import { isDefaultPath } from '@cadmus/model/paths'
import { changeOf } from '../commands/change.ts'
import { referencesTo } from '../commands/entity/references-to.ts'
import {
  addEntities,
  addSubManifests as add,
  removeEntity,
  removeSubManifest as removeFrom,
} from '../commands/manifest/members.ts'
import { addManifestVersion as addVersion, deleteManifestVersion as deleteVersion } from '../commands/versions.ts'
import { checkServiceOptions, recentConfigurations } from '../commands/manifest/save-configuration.ts'
import { noSecrets, sealedAsTyped, withStoredSecrets } from '../commands/manifest/configuration-secrets.ts'
import { createManifest as create } from '../commands/manifest/create-manifest.ts'
import { deleteManifest as removeManifest } from '../commands/manifest/delete-manifest.ts'
import { check, stateOf } from '../commands/manifest/manifest-permission.ts'
import { baseOf } from '../commands/manifest/rename-manifest.ts'
import { resolveNameConflicts } from '../commands/manifest/resolve-name-conflicts.ts'
import { saveDocument } from '../commands/save-documents.ts'
import { requestBuild, type RequestedBuild } from '../commands/package/request-build.ts'
import { ApiError, conflict, refuseFields } from '../errors/api-error.ts'
import { ReadyJson } from '../http/ready-json.ts'
import { handle, type RequestContext, type Route } from '../http/route.ts'
import { manifestVersionsAnswer, versionContent } from '../jobs/answers.ts'
import { hasServiceOptions } from '../config.ts'
import { areManifestVersionsLight } from '../store/answer-size.ts'
import { ownedEntities } from '../store/manifest-delete.ts'
import { entitiesOfManifest, manifestFolders, pageOf, parentsOf, subManifestsOf } from '../store/manifest-list.ts'
import { memberParts } from '../store/manifest-relationships.ts'
import { manifestContent, type ManifestRow, manifestsByIds } from '../store/manifest.ts'
import { entityListItem, listFrame, manifestList, manifestListAnswer } from './list-answers.ts'
import {
  answerChangedManifest,
  answerManifest,
  plainManifest,
  requireManifest,
  requireVersion,
} from './manifest-answer.ts'
import { packageNameOf, validateBuild } from './package.ts'

export const manifestRoutes: Route[] = [
  handle(getManifest, async ({ params, query }, request) => {
    const row = await requireManifest(request, params.id)
    request.context.workers.expectValidation({ organisationId: request.organisation.id, manifestId: row.id })
    const frozen = await requireVersion(request, row, query.version)
    return answerManifest(request, row, frozen)
  }),
  handle(createManifest, async ({ query, body }, request) => {
    const id = await create(changeOf(request, query.saveId), plainManifest(body, request.organisation))
    return answerChangedManifest(request, await requireManifest(request, id))
  }),
  handle(createManifestByWizard, async ({ query, body }, request) => {
    const { context, organisation } = request
    const { manifestProperties: configuration = null, generateType } = body
    const defaultConfiguration = newConfiguration(body.manifestName)
    if (configuration && !hasServiceOptions(context.config, organisation))
      checkServiceOptions({ before: defaultConfiguration, after: configuration })
    const id = await create(changeOf(request, query.saveId), {
      ...plainManifest(body, organisation),
      duplicateId: body.duplicateManifest,
      configuration: configuration && withStoredSecrets(await sealedAsTyped(context.secrets, configuration), noSecrets),
      generateType,
      version: body.version,
    })
    const manifest = await requireManifest(request, id)
    const answer = await answerChangedManifest(request, manifest)
    const rest = { generateType, ...(await buildGenerated(request, manifest, generateType)) }
    return answer instanceof ReadyJson ? answer.with(rest) : { ...answer, ...rest }
  }),
  handle(updateManifest, async ({ params, body }, request) => {
    await rejectReadOnlyChanges(request, params.id, body.manifest)
    const { manifestName: name, sentAs: places } = body
    const edits = name === undefined ? [] : [{ kind: 'changeManifest' as const, change: { name } }]
    const place = { kind: 'manifest' as const, id: params.id, base: request.ifMatch ?? '', version: undefined }
    await saveDocument(changeOf(request), { ...place, edits, places, licence: request.organisation.limits })
    // Tag and content are from the same state, possibly later than this save.
    return answerChangedManifest(request, await requireManifest(request, params.id))
  }),
  handle(deleteManifest, async ({ params, query }, request) => {
    const { context, organisation } = request
    const { onReferences } = query
    await removeManifest(changeOf(request), { manifestId: params.id, onReferences, licence: organisation.limits })
    void context.workers
      .forget({ organisationId: organisation.id, manifestId: params.id })
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'failed to drop a deleted manifest from the caches of threads'),
      )
    return { result: 'OK' as const, message: messages.manifestDeleted }
  }),
  handle(listManifests, ({ query }, request) => manifestListAnswer(request, query)),
  handle(listOrganisationManifests, ({ query }, request) => manifestListAnswer(request, query)),
  handle(listFolderManifests, ({ params, query }, request) =>
    manifestListAnswer(request, { ...query, folder: params.folder }),
  ),
  handle(listManifestFolders, async ({ query }, { context, organisation }) => {
    const { folders, ...listed } = await manifestFolders(context.store.of(organisation.id), organisation.id, query)
    return { ...listFrame(listed, query), folders }
  }),
  handle(listManifestParents, async ({ params, query }, request) => {
    const manifest = await requireManifest(request, params.id)
    const { context, organisation } = request
    const listed = await parentsOf(context.store.of(organisation.id), organisation.id, manifest.id, query)
    return manifestList(listed, query)
  }),
  handle(listManifestReferences, async ({ params, query }, request) => {
    const { context, organisation } = request
    const db = context.store.of(organisation.id)
    const manifest = await requireManifest(request, params.id)
    const owned = await ownedEntities(db, manifest)
    const { items } = await referencesTo(db, organisation.id, owned, manifest.id)
    return { references: items.slice(0, query.limit), totalElements: items.length }
  }),
  handle(getManifestPaths, async ({ params }, request) => {
    const { context, organisation, signal } = request
    const { id: manifestId } = await requireManifest(request, params.id)
    const place = { organisationId: organisation.id, manifestId, version: null }
    return new ReadyJson(await context.workers.run('manifestPaths', place, signal))
  }),
  handle(listManifestEntities, async ({ params, query }, request) => {
    const manifest = await requireManifest(request, params.id)
    const { context, organisation } = request
    const listed = await entitiesOfManifest(context.store.of(organisation.id), organisation.id, manifest, {
      ...query,
      excluded: query.excludeEntityId,
    })
    return { ...listFrame(listed, query), entity: listed.rows.map(entityListItem) }
  }),
  handle(listSubManifests, async ({ params, query }, request) => {
    const manifest = await requireManifest(request, params.id)
    const rows = await subManifestsOf(request.context.store.of(request.organisation.id), manifest)
    return manifestList(pageOf(rows, query), query)
  }),
  handle(addEntitiesToManifest, async ({ params, body }, request) => {
    const { entityIds, type } = body
    const entities = await addEntities(changeOf(request), { manifestId: params.id, entityIds, type })
    return { result: 'OK' as const, message: messages.entityAddedToManifest, entities }
  }),
  handle(removeEntityFromManifest, async ({ params, query }, request) => {
    const member = { manifestId: params.id, entityId: params.entityId }
    await removeEntity(changeOf(request), member, query.onReferences)
    return { result: 'OK' as const, message: messages.entityDeleted }
  }),
  handle(addSubManifests, async ({ params, body }, request) => {
    await add(changeOf(request), params.id, body.submanifests)
    return { result: 'OK' as const, message: messages.subManifestAdded }
  }),
  handle(removeSubManifest, async ({ params }, request) => {
    const { limits: licence } = request.organisation
    await removeFrom(changeOf(request), { manifestId: params.id, subId: params.subId, licence })
    return { result: 'OK' as const, message: messages.subManifestDeleted }
  }),
  handle(listNamesakes, async ({ params, query }, request) => {
    const { context, organisation, signal } = request
    const { id: manifestId } = await requireManifest(request, params.id)
    const place = { organisationId: organisation.id, manifestId, version: null }
    const { steps, etag } = await context.workers.run('nameConflicts', { ...place, strategy: query.strategy }, signal)
    request.setEtag(etag)
    return { steps }
  }),
  handle(resolveNamesakes, async ({ params, body }, request) => {
    const { context, organisation, signal, ifMatch } = request
    const manifest = await requireManifest(request, params.id)
    check(mayEditManifest(stateOf(manifest)))
    const place = { organisationId: organisation.id, manifestId: manifest.id, version: null }
    const { steps, etag } = await context.workers.run('nameConflicts', { ...place, strategy: body.strategy }, signal)
    // Executes exactly the plan that was shown.
    if (ifMatch !== '*' && ifMatch !== etag) throw conflict(nameConflictTexts.changed)
    await resolveNameConflicts(changeOf(request), manifest.id, steps)
    return { result: 'OK' as const, message: nameConflictTexts.done(countsOf(steps)), steps }
  }),
  handle(listManifestVersions, async ({ params }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const db = context.store.of(organisation.id)
    if (await areManifestVersionsLight(db, manifest)) return manifestVersionsAnswer(db, organisation.id, manifest)
    const input = { organisationId: organisation.id, manifestId: manifest.id }
    return new ReadyJson(await context.workers.run('manifestVersions', input, signal))
  }),
  handle(getManifestVersionContent, async ({ params, query }, request) => {
    const { context, organisation, signal } = request
    const manifest = await requireManifest(request, params.id)
    const frozen = await requireVersion(request, manifest, query.version)
    const db = context.store.of(organisation.id)
    if (await areManifestVersionsLight(db, manifest, frozen))
      return { manifest: { CONTENT: await versionContent(db, organisation.id, manifest, frozen) } }
    const input = { organisationId: organisation.id, manifestId: manifest.id, version: frozen?.version ?? null }
    return new ReadyJson(await context.workers.run('manifestContent', input, signal))
  }),
  handle(addManifestVersion, async ({ params, query }, request) => {
    await addVersion(changeOf(request, query.saveId), params.id, query.version)
    return { result: 'OK' as const, message: messages.manifestVersionCreated }
  }),
  handle(deleteManifestVersion, async ({ params, query }, request) => {
    await deleteVersion(changeOf(request), params.id, query.version)
    return { result: 'OK' as const, message: messages.manifestVersionDeleted }
  }),
]

type GenerationResult = { package: RequestedBuild | null; buildMessage: string }

/** Builds the package of a new manifest. A rejected build does not undo the manifest. */
async function buildGenerated(
  request: RequestContext,
  manifest: ManifestRow,
  generateType: GenerateType,
): Promise<GenerationResult> {
  if (generateType === 'Manifest') return { package: null, buildMessage: '' }
  try {
    const source = { organisationId: request.organisation.id, manifest, frozen: null }
    const publishAs = generateType === 'Database' ? ('DB_STRUCTURE' as const) : ('PACKAGE' as const)
    const buildRequest = { packageName: packageNameOf(source, ''), version: undefined, publishAs, overrides: [] }
    const build = await requestBuild(changeOf(request), await validateBuild(source, buildRequest, request))
    request.context.builds.poll()
    return { package: build, buildMessage: '' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { package: null, buildMessage: error.message }
  }
}

/** Throws 400 if the body changes read-only fields. */
async function rejectReadOnlyChanges(
  request: RequestContext,
  id: number,
  sent: ManifestUpdate['manifest'],
): Promise<void> {
  if (Object.keys(manifestAsAnswered).every(name => Reflect.get(sent, name) === undefined)) return
  const row = await requireManifest(request, id)
  const content = await manifestContent(request.context.store.of(request.organisation.id), row)
  const answered = { ...content, id, isDefault: isDefaultPath(row.path) }
  refuseFields([
    ...changedAnswers(manifestAsAnswered, sent, answered, 'manifest'),
    ...(await changedMembers(request, row, content, sent)),
    ...(await changedConfiguration(request, row, sent)),
  ])
}

/**
 * The problem of a sent configuration that is neither the current nor a recent one. The manifest's tag does not cover the
 * configuration: others may have saved it since it was read.
 */
async function changedConfiguration(
  { context, organisation, ifMatch = '*' }: RequestContext,
  row: ManifestRow,
  sent: ManifestUpdate['manifest'],
): Promise<{ path: string; message: string }[]> {
  const { configuration } = sent
  if (ifMatch === '*' || configuration === undefined) return []
  const db = context.store.of(organisation.id)
  for await (const state of recentConfigurations(db, row, recentSaves))
    if (isPartOf(configuration, withoutSecrets(state))) return []
  return [{ path: 'manifest.configuration', message: messages.readOnly('configuration') }]
}

/** Whether values are equal apart from properties that the first one leaves out. */
function isPartOf(sent: unknown, whole: unknown): boolean {
  if (Array.isArray(sent) && Array.isArray(whole))
    return sent.length === whole.length && sent.every((item, index) => isPartOf(item, whole[index]))
  if (!isRecord(sent) || !isRecord(whole)) return isEqual(sent, whole)
  return Object.entries(sent).every(([name, value]) => isPartOf(value, whole[name]))
}

/** Saves of a configuration between reading and saving its manifest. */
const recentSaves = 20

const sentLists = manifestAnswer.pick({ entityPaths: true, subManifestPaths: true }).partial()

/**
 * Problems of sent entities and sub-manifests that differ from those of the base and of the current state. Names and paths may
 * be outdated. Not with `*`, whose base is unknown.
 */
async function changedMembers(
  { context, organisation, ifMatch = '*' }: RequestContext,
  row: ManifestRow,
  current: ManifestContent,
  sent: ManifestUpdate['manifest'],
): Promise<{ path: string; message: string }[]> {
  const { entityPaths, subManifestPaths } = sentLists.parse(sent)
  if (ifMatch === '*' || (entityPaths === undefined && subManifestPaths === undefined)) return []
  const db = context.store.of(organisation.id)
  const states = [await baseOf(db, row, current, ifMatch), current]
  const existingManifests = async (ids: readonly number[]) =>
    (await manifestsByIds(db, organisation.id, ids)).map(({ id }) => id)
  const lists = [
    {
      name: 'entityPaths',
      sent: entityPaths?.map(({ id, type }) => ({ id, type })),
      states: states.map(({ entities }) => entities.map(({ id, type }) => ({ id, type }))),
      existing: async () => [...(await memberParts(db, organisation.id, row)).keys()],
    },
    {
      name: 'subManifestPaths',
      sent: subManifestPaths?.map(({ id }) => ({ id })),
      states: states.map(({ subManifests }) => subManifests.map(id => ({ id }))),
      existing: existingManifests,
    },
  ]
  const problems: { path: string; message: string }[] = []
  for (const list of lists)
    if (!(await isAnswered(list)))
      problems.push({ path: `manifest.${list.name}`, message: messages.readOnly(list.name) })
  return problems
}

type Item = { id: number; type?: MemberType }
type List = {
  sent: Item[] | undefined
  states: Item[][]
  existing: (ids: readonly number[]) => Promise<number[]>
}

async function isAnswered({ sent, states, existing }: List): Promise<boolean> {
  if (sent === undefined || states.some(state => isEqual(state, sent))) return true
  // Answers leave out members that are being deleted.
  const ids = new Set(states.flat().map(({ id }) => id))
  const deleted = ids.difference(new Set(await existing([...ids])))
  const shown = (items: readonly Item[]) => items.filter(({ id }) => !deleted.has(id))
  return states.some(state => isEqual(shown(state), shown(sent)))
}

function countsOf(steps: readonly { action: string }[]) {
  const count = (kind: string) => steps.filter(({ action }) => action === kind).length
  return { renamed: count('rename'), leftOut: count('leaveOut') }
}
