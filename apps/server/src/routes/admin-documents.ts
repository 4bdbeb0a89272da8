import {
  adminCreateEntity,
  adminCreateManifest,
  adminGetOrganisationSummary,
  adminListOrganisationEntities,
  adminListOrganisationManifests,
  adminReloadEntity,
  adminReloadManifest,
  adminUpdateEntityContent,
  adminValidateEntityContent,
} from '@cadmus/model/contract/admin-documents'
import { contentTexts } from '@cadmus/model/messages/values'
import { organisationOf } from '../auth/caller.ts'
import { changeOf } from '../commands/change.ts'
import { createEntity } from '../commands/entity/create-entity.ts'
import { changeInOrganisation, changeOfEntity } from '../commands/entity/foreign-change.ts'
import { reloadEntity, reloadManifest } from '../commands/reload.ts'
import { requestFromContent, validateContent } from '../commands/entity/update-entity.ts'
import { createManifest } from '../commands/manifest/create-manifest.ts'
import { saveDocument } from '../commands/save-documents.ts'
import { handle, type Route } from '../http/route.ts'
import { isLibraryPending, loadLibrary } from '../library/load-library.ts'
import { historyOf } from '../store/history.ts'
import { organisationTotals } from '../store/organisation.ts'
import { requireOrganisation } from './admin-organisation.ts'
import { answerChangedEntity } from './entity.ts'
import { entityListAnswer, manifestListAnswer } from './list-answers.ts'
import { answerChangedManifest, plainManifest, requireManifest } from './manifest-answer.ts'

export const adminEntityRoutes: Route[] = [
  handle(adminCreateEntity, async ({ body }, request) => {
    const { change } = await changeInOrganisation(changeOf(request), body.org)
    const id = await createEntity(change, body)
    return answerChangedEntity(request, id, {}, change.organisationId)
  }),
  handle(adminValidateEntityContent, async ({ body }, request) => {
    await validateContent(await changeOfEntity(changeOf(request), body.id), body.id, body.content)
    return { result: 'OK' as const, message: contentTexts.valid }
  }),
  handle(adminUpdateEntityContent, async ({ query, body }, request) => {
    const change = await changeOfEntity(changeOf(request, query.saveId), body.id)
    const onReferences = (removed: string) => body.onReferencesTo?.[removed] ?? query.onReferences
    const place = { kind: 'entity' as const, id: body.id, base: request.ifMatch ?? '', version: body.version }
    const saved = await saveDocument(change, { ...place, ...requestFromContent(body.content, onReferences) })
    const { tag: hash, version } = saved
    return answerChangedEntity(request, body.id, { hash, version }, change.organisationId)
  }),
  handle(adminReloadEntity, async ({ params }, request) => {
    await reloadEntity(changeOf(request), params.id, () => loadLibrary(request.context, request.who.userId))
    return answerChangedEntity(request, params.id)
  }),
]

export const adminManifestRoutes: Route[] = [
  handle(adminCreateManifest, async ({ body }, request) => {
    const target = await changeInOrganisation(changeOf(request), body.org)
    const organisation = organisationOf(target.organisation)
    const id = await createManifest(target.change, plainManifest(body.manifest, organisation))
    const { context, signal, setEtag } = request
    const scope = { context, signal, setEtag, organisation }
    return answerChangedManifest(scope, await requireManifest(scope, id))
  }),
  handle(adminReloadManifest, async ({ params }, request) => {
    await reloadManifest(changeOf(request), params.id, () => loadLibrary(request.context, request.who.userId))
    return answerChangedManifest(request, await requireManifest(request, params.id))
  }),
]

export const adminContentRoutes: Route[] = [
  handle(adminGetOrganisationSummary, async ({ params, query: { days } }, request) => {
    const { id, code, name } = await requireOrganisation(request, params.code)
    const { context, signal } = request
    const { store, now, summaries } = context
    const summary = async () => {
      const totals = await organisationTotals(store, id)
      const history = await historyOf(store.of(id), id, totals, { days, now: now(), signal })
      return { organisation: { id, code, name, ...totals }, history }
    }
    return {
      ...(await summaries.run(id, summary, { signal })),
      libraryPending: await isLibraryPending(store.shared, id),
    }
  }),
  handle(adminListOrganisationEntities, async ({ params, query }, request) => {
    const organisation = organisationOf(await requireOrganisation(request, params.code))
    const place = { context: request.context, organisation }
    const { entity: entities, ...frame } = await entityListAnswer(place, { ...query, filter: 'PRIVATE' })
    return { ...frame, entities }
  }),
  handle(adminListOrganisationManifests, async ({ params, query: { excludeManifest: exclude, ...query } }, request) => {
    const organisation = organisationOf(await requireOrganisation(request, params.code))
    return manifestListAnswer({ context: request.context, organisation }, { ...query, exclude, filter: 'PRIVATE' })
  }),
]
