import { entityRequestOf } from '@cadmus/model/apply-request'
import type { OnReferences } from '@cadmus/model/detach'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { entityQuery, entitySavedBy, saveEntity, saveEntityContent } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { lastChangesOf } from '../../api/logs.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Scope } from '../../api/scope.ts'
import { sessionStore } from '../../api/session-store.ts'
import { placeWords } from '../../commands/entity-words.ts'
import { askAboutReferences } from '../../commands/references.ts'
import type { DraftPlace } from '../../drafts/draft-key.ts'
import { linkTabs } from '../../drafts/draft-tabs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { workbench } from '../../workbench/page-workbench.ts'
import type { Selection } from '../../workbench/workbench.ts'
import { type EntityDraft, needsDocumentSave, referenceAnswers } from './entity-draft.ts'
import { entityStore } from './entity-store.ts'
import { saveEntityAsNew } from './save-as-new.ts'

/** Maximum number of problems reported per save. */
const maxReported = 5

type Row = { kind: Selection['kind']; uid: string; name: string; field: string }

/** Shows the row of the first problem, and returns the failure with the places of all problems added. */
function showFirstProblem(id: number, failure: unknown, content: EntityContent, scope: Scope): unknown {
  if (!(failure instanceof ApiError) || failure.errors.length === 0) return failure
  const rows = failure.errors.map(({ path }) => rowAt(path, content))
  if (rows.every(row => row === null)) return failure
  const [first] = rows
  const tabId = tabIdOf({ kind: 'entity', id }, scope)
  const { active, show, select } = workbench.getState()
  if (first && active === tabId) {
    show(tabId, { tab: first.kind === 'entityAttribute' ? 'relationships' : undefined })
    select(tabId, { kind: first.kind, uids: [first.uid], reveal: true })
  }
  const lines = failure.errors.map(({ message }, index) => {
    const row = rows[index]
    return row ? `${placeWords(row)}: ${message}` : message
  })
  const more = lines.length > maxReported ? [messages.referring.more(lines.length - maxReported)] : []
  return failure.with({ message: [...lines.slice(0, maxReported), ...more].join('\n') })
}

/**
 * The row and field of a request path such as `entity.typeAttributes.2.defaultValue`; null if the path is in neither
 * list.
 */
function rowAt(path: string, content: EntityContent): Row | null {
  const [, list, index, field = ''] = path.split('.')
  if (list === 'typeAttributes') {
    const row = content.typeAttributes[Number(index)]
    return row ? { kind: 'typeAttribute', uid: row.uid, name: row.name, field } : null
  }
  if (list !== 'entityAttributes') return null
  const row = content.entityAttributes[Number(index)]
  return row ? { kind: 'entityAttribute', uid: row.uid, name: row.foreignKeyTypeAttribute, field } : null
}

entityStore.connect({
  send,
  settle: async ({ id, sent }, { version, scope }) => {
    const stored = await entitySavedBy(sent.saved.id, id, { etag: sent.etag, version }, scope)
    return stored && { saved: stored.entity, etag: stored.etag }
  },
  load: async ({ id, version, scope }) => {
    const { entity, etag } = await queryClient.fetchQuery({ ...entityQuery(id, version, scope), staleTime: 0 })
    return { saved: entity, etag }
  },
  success: messages.entitySaved,
  findAuthors: async ({ id }, places, scope) => lastChangesOf('entity', id, places, scope),
  saveAsNew: saveEntityAsNew,
})

linkTabs(entityStore)

async function send(sent: EntityDraft, { version, scope }: DraftPlace, saveId: string) {
  const { saveTitle: title, saveText: text } = messages.referring
  const question = { title, text, confirmLabel: 'Save' }
  const asDocument = version === undefined && isSavedAsDocument(sent, scope)
  const response = await askAboutReferences(question, onReferences =>
    asDocument
      ? sendDocument(sent, { onReferences, saveId, scope })
      : sendFields(sent, version, { onReferences, saveId, scope }),
  )
  return response && { saved: response.entity, etag: response.etag }
}

type SaveOptions = { onReferences: OnReferences | undefined; saveId: string; scope: Scope }

async function sendFields(sent: EntityDraft, version: string | undefined, options: SaveOptions) {
  const { id, currentVersion, targetManifest } = sent.saved
  const request = { ...entityRequestOf(sent.content, currentVersion, targetManifest?.id), ...referenceFields(sent) }
  try {
    return await saveEntity(id, request, sent.etag, { version, ...options })
  } catch (failure) {
    throw showFirstProblem(id, failure, sent.content, options.scope)
  }
}

async function sendDocument(sent: EntityDraft, options: SaveOptions) {
  try {
    const { content, etag, saved } = sent
    const details = { version: saved.currentVersion, ...referenceFields(sent) }
    return await saveEntityContent(saved.id, JSON.stringify(content), etag, { ...options, ...details })
  } catch (failure) {
    // If the server sent no message, lists the unsaved parts.
    if (!(failure instanceof ApiError)) throw failure
    throw failure.with({ message: messageOf(failure, messages.failed.entityContent) })
  }
}

function referenceFields(sent: EntityDraft) {
  const answers = referenceAnswers(sent)
  return Object.keys(answers).length > 0 ? { onReferencesTo: answers } : {}
}

/**
 * Whether to save as a document: if the Json tab (administrators only) is shown, or made changes that only it can make.
 */
function isSavedAsDocument(sent: EntityDraft, scope: Scope): boolean {
  if (sessionStore.getState().user?.isAdmin !== true) return false
  const tabId = tabIdOf({ kind: 'entity', id: sent.saved.id }, scope)
  return workbench.getState().shown.get(tabId)?.tab === 'json' || needsDocumentSave(sent)
}
