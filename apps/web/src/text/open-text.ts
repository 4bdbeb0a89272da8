import { takeStep } from '../drafts/take-back.ts'
import { type DraftKey, draftKey } from '../drafts/draft-key.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { copyText } from '../ui/copy-text.ts'
import type { TextDraft } from './text-draft.ts'
import { textExtensions } from './text-editor.ts'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { notify } from '../ui/notices.ts'
import { type Snapshot, TextSession } from './text-session.ts'
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
  /** Null: nothing is typed into the text of an old version, or its code was not loaded. */
  draft: Promise<TextDraft | null>
  pasteSql: ((sql: string) => void) | undefined
}

/** Outlive their panes while they hold text that is not applied. */
const openTexts = new Map<string, OpenText>()

/** The text of a document in the current scope. */
export function openText(titled: Titled): OpenText {
  const key = keyOf(titled)
  const open = openTexts.get(key) ?? newText(titled, key)
  keepText(open)
  return open
}

/** While its pane is shown. */
export function keepText(text: OpenText): void {
  openTexts.set(text.key, text)
  void text.draft.then(draft => draft?.open())
}

/** After the pane was closed. */
export function closeText(text: OpenText): void {
  const { key, session, draft } = text
  const isDone = session.state.readOnly || session.isSettled || session.model === null
  if (!isDone || openTexts.get(key) !== text) return
  openTexts.delete(key)
  void draft.then(stored => {
    stored?.storeNow()
    stored?.close()
  })
}

function keyOf({ kind, id, version }: Titled): string {
  return `${kind} ${draftKey(id, version)}`
}

function newText(titled: Titled, key: string): OpenText {
  const { kind, id, version, name } = titled
  const source = new TextSource()
  const steps = new TextSteps()
  const addTables = async (sql: string) => {
    const { textOfSql } = await import('./paste-sql.ts')
    const text = await textOfSql(id, sql)
    if (text === null) return
    // The pane may have been closed since: then the tables are there when it is opened again.
    const shown = openTexts.get(key) ?? open
    keepText(shown)
    shown.session.type(`\n${text}`)
  }
  const pasteSql = kind === 'manifest' && version === undefined ? (sql: string) => void addTables(sql) : undefined
  let isRead = version !== undefined
  const snapshot = () => (isRead ? source.snapshot() : null)
  const session = newSession({
    titled,
    snapshot,
    source,
    steps,
    pasteSql,
  })
  const document = { document: `text:${kind}:${id}`, title: paneTexts.pane(name), session }
  const draft = version === undefined ? newDraft(document) : Promise.resolve(null)
  void draft
    .then(stored => stored?.read())
    .finally(() => {
      isRead = true
      session.refresh()
    })
  const open: OpenText = { key, session, source, steps, draft, pasteSql }
  return open
}

/** Loaded beside the contents of the text. */
async function newDraft(document: ConstructorParameters<typeof TextDraft>[0]): Promise<TextDraft | null> {
  return import('./text-draft.ts').then(
    ({ TextDraft }) => new TextDraft(document),
    () => null,
  )
}

type SessionParts = Pick<OpenText, 'source' | 'steps' | 'pasteSql'> & {
  titled: Titled
  snapshot: () => Snapshot<SeenEntities> | null
}

function newSession({ titled, snapshot, source, steps, pasteSql }: SessionParts) {
  const { kind, id, version, name } = titled
  const entity = kind === 'entity' && version === undefined ? draftKey(id, undefined) : null
  const session: TextSession<SeenEntities> = new TextSession({
    snapshot,
    leftOut: text => {
      const copy = { label: paneTexts.copyUnapplied, run: () => void copyText(text) }
      notify('warning', paneTexts.leftOut(name), copy, { stays: true })
    },
    apply: (edits, seen) => steps.make(source, edits, seen),
    extensions: textExtensions({
      label: paneTexts.editor(name),
      model: () => session.model,
      pasteSql,
      step: direction => session.stepTyped(direction) || takeModelStep(direction, entity, steps),
    }),
  })
  return session
}

/** The entity's own history has the steps of its text, too. */
function takeModelStep(direction: 'undo' | 'redo', entity: DraftKey | null, steps: TextSteps): boolean {
  if (entity !== null) void takeStep(entityStore, entity, direction)
  else if (steps.next(direction) === undefined) notify('info', paneTexts.nothing[direction])
  else steps.take(direction)
  return true
}
