import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { lossProblem, readEntityContent, type ContentProblem } from '@cadmus/model/read-content'
import { validateEntityContent } from '../../../api/entities.ts'
import { ApiError, messageOf } from '../../../api/error.ts'
import { readDraftKey, type DraftKey } from '../../../drafts/draft-key.ts'
import type { EntityDraft } from '../entity-draft.ts'
import { entityStore } from '../entity-store.ts'

export type SourceProblem = ContentProblem

export function sourceOf(content: EntityContent): string {
  return JSON.stringify(content, null, 2)
}

type OpenedSource = { at: DraftKey; draft: EntityDraft; locked: string | null }

type SourceResult = { problems: readonly ContentProblem[]; edits: readonly EntityEdit[] }

/** Applies JSON text as one step of the opened draft; returns the problems if it is invalid. */
export async function applySource(text: string, opened: OpenedSource): Promise<readonly ContentProblem[]> {
  const { problems, edits } = await validateSource(text, opened)
  if (problems.length === 0 && edits.length > 0) entityStore.editOn(opened.at, opened.draft, () => edits)
  return problems
}

/** Validates JSON text: its problems, or the edits that it describes. */
export async function validateSource(text: string, { at, draft, locked }: OpenedSource): Promise<SourceResult> {
  const { content } = draft
  const loss = lossProblem(text)
  if (loss !== undefined) return { problems: [{ path: '', message: loss }], edits: [] }
  const read = readEntityContent(JSON.parse(text), content)
  if (read.content === null) return { problems: read.problems, edits: [] }
  const edits = entityEditsBetween(content, read.content)
  if (edits.length === 0) return { problems: [], edits }
  if (locked !== null && edits.some(({ kind }) => kind !== 'changeScopes'))
    return { problems: [{ path: '', message: locked }], edits }
  return { problems: await serverProblems(draft.saved.id, read.content, readDraftKey(at)?.version), edits }
}

/** Problems that the server reports. References to removed attributes are checked on save. */
async function serverProblems(
  id: number,
  content: EntityContent,
  version: string | undefined,
): Promise<ContentProblem[]> {
  // Only scopes of an old version can be saved, and they are validated already.
  if (version !== undefined) return []
  try {
    await validateEntityContent(id, JSON.stringify(content))
    return []
  } catch (failure) {
    if (failure instanceof ApiError && failure.references.length > 0) return []
    const { errors } = failure instanceof ApiError ? failure : { errors: [] }
    if (errors.length > 0) return errors.map(({ path, message }) => ({ path, message }))
    return [{ path: '', message: messageOf(failure, messages.failed.entityContent) }]
  }
}
