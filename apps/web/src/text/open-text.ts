import { takeStep } from '../drafts/take-back.ts'
import { type DraftKey, draftKey } from '../drafts/draft-key.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { textExtensions } from './text-editor.ts'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { notify } from '../ui/notices.ts'
import { TextSession } from './text-session.ts'
import { type SeenEntities, TextSource } from './text-source.ts'
import { TextSteps } from './text-steps.ts'

/** A text of an entity or a manifest. */
export type Titled = { kind: 'entity' | 'manifest'; id: number; version?: string | undefined; name: string }

/** `key`: of the scope in which it was opened. `pasteSql`: adds the tables of a script; undefined: tables cannot be added. */
export type OpenText = {
  key: string
  session: TextSession<SeenEntities>
  source: TextSource
  steps: TextSteps
  pasteSql: ((sql: string) => void) | undefined
}

/** Outlive their panes while they hold text that is not applied. */
const openTexts = new Map<string, OpenText>()

/** The text of a document in the current scope. */
export function openText(titled: Titled): OpenText {
  const key = keyOf(titled)
  const open = openTexts.get(key) ?? newText(titled, key)
  openTexts.set(key, open)
  return open
}

/** After the pane was closed. */
export function closeText(text: OpenText): void {
  const { key, session } = text
  const isDone = session.state.readOnly || session.isSettled || session.model === null
  if (isDone && openTexts.get(key) === text) openTexts.delete(key)
}

function keyOf({ kind, id, version }: Titled): string {
  return `${kind} ${draftKey(id, version)}`
}

function newText({ kind, id, version, name }: Titled, key: string): OpenText {
  const source = new TextSource()
  const steps = new TextSteps()
  const entity = kind === 'entity' && version === undefined ? draftKey(id, undefined) : null
  const addTables = async (sql: string) => {
    const { textOfSql } = await import('./paste-sql.ts')
    const text = await textOfSql(id, sql)
    if (text === null) return
    // The pane may have been closed since: then the tables are there when it is opened again.
    const shown = openTexts.get(key) ?? open
    openTexts.set(key, shown)
    shown.session.type(`\n${text}`)
  }
  const pasteSql = kind === 'manifest' && version === undefined ? (sql: string) => void addTables(sql) : undefined
  const session: TextSession<SeenEntities> = new TextSession({
    snapshot: () => source.snapshot(),
    apply: (edits, seen) => steps.make(source, edits, seen),
    extensions: textExtensions({
      label: paneTexts.editor(name),
      model: () => session.model,
      pasteSql,
      step: direction => session.stepTyped(direction) || takeModelStep(direction, entity, steps),
    }),
  })
  const open: OpenText = { key, session, source, steps, pasteSql }
  return open
}

/** The entity's own history has the steps of its text, too. */
function takeModelStep(direction: 'undo' | 'redo', entity: DraftKey | null, steps: TextSteps): boolean {
  if (entity !== null) void takeStep(entityStore, entity, direction)
  else if (steps.next(direction) === undefined) notify('info', paneTexts.nothing[direction])
  else steps.take(direction)
  return true
}
