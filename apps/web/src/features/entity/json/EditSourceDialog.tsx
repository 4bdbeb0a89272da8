import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { visibleText } from '@cadmus/model/display'
import { type EntityEdit, entityEditsBetween } from '@cadmus/model/edits/entity-edits'
import type { EntityContent } from '@cadmus/model/entity'
import { messages } from '@cadmus/model/messages'
import { contentTexts } from '@cadmus/model/messages/values'
import { type ContentProblem, lossProblem, readEntityContent } from '@cadmus/model/read-content'
import { syntaxFault } from '@cadmus/model/values/json-syntax'
import { validateEntityContent } from '../../../api/entities.ts'
import { ApiError, messageOf } from '../../../api/error.ts'
import { type DraftKey, readDraftKey } from '../../../drafts/draft-key.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { onDemand } from '../../../ui/on-demand.ts'
import type { EntityDraft } from '../../../drafts/entity-draft.ts'
import { entityStore } from '../../../drafts/entity-store.ts'
import styles from './EditSource.module.css'
import type { CodeEditor as Editor } from '../../../ui/code-editor.ts'

const { Component: CodeEditor } = onDemand(
  () => import('./CodeEditor.tsx').then(module => module.CodeEditor),
  <div className={styles['editor']}>
    <Skeleton lines={12} />
  </div>,
)

export type EditSourceDialogProps = {
  at: DraftKey
  draft: EntityDraft
  locked: string | null
  onClose: () => void
}

/** Maximum number of listed problems, to leave room for the text. */
const maxProblems = 8

/** Debounce, in milliseconds. */
const checkDelay = 150

/** Edits the content as JSON text. Apply merges valid content into the draft. */
export function EditSourceDialog({ at, draft, locked, onClose }: EditSourceDialogProps) {
  const { content } = draft
  const [before] = useState(() => sourceOf(content))
  const editor = useRef<Editor>(null)
  const [edits, setEdits] = useState(0)
  const [fault, setFault] = useState<ReturnType<typeof syntaxFault>>(undefined)
  const [problems, setProblems] = useState<readonly SourceProblem[]>([])
  const [busy, setBusy] = useState(false)
  const [isSame, setSame] = useState(true)

  // Drop listed problems that are fixed.
  const revalidate = useEffectEvent(async (text: string) => {
    if (problems.length === 0) return
    const left = await validateSource(text, { at, draft, locked })
    if (editor.current?.text() === text) setProblems(left.problems)
  })

  useEffect(() => {
    if (edits === 0) return
    const timer = setTimeout(() => {
      const text = editor.current?.text() ?? before
      const syntaxError = syntaxFault(text)
      setFault(syntaxError)
      setSame(text === before)
      if (!syntaxError) void revalidate(text)
    }, checkDelay)
    return () => clearTimeout(timer)
  }, [edits, before])

  async function apply() {
    const text = editor.current?.text() ?? before
    const syntaxError = syntaxFault(text)
    setFault(syntaxError)
    if (syntaxError) return
    setBusy(true)
    try {
      const wrong = await applySource(text, { at, draft, locked })
      setProblems(wrong)
      if (wrong.length === 0) onClose()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      title="Edit Source"
      description={<Described content={content} />}
      width={1200}
      entered={!isSame}
      busy={busy}
      onClose={onClose}
      footer={
        <>
          <CloseButton />
          <Button
            size="dialog"
            variant="primary"
            busy={busy}
            disabled={fault && contentTexts.syntaxError(fault.cause, fault.line, fault.column)}
            onClick={() => void apply()}
          >
            Apply
          </Button>
        </>
      }
    >
      <div className={styles['source']}>
        {problems.length > 0 && !fault && <Problems problems={problems} />}
        <CodeEditor
          ref={editor}
          label={`JSON of ${visibleText(content.name)}. Tab indents; press Escape, then Tab, to leave the editor.`}
          text={before}
          onChange={() => {
            setEdits(count => count + 1)
            setSame(false)
          }}
        />
        {fault ? (
          <div className={styles['fault']}>
            <span role="alert">{contentTexts.syntaxError(fault.cause, fault.line, fault.column)}</span>
            <Button variant="quiet" onClick={() => editor.current?.goTo(fault.at)}>
              Go to error
            </Button>
          </div>
        ) : (
          <p className={styles['hint']}>Tab indents; press Escape, then Tab, to leave the editor. Ctrl+F searches.</p>
        )}
      </div>
    </Dialog>
  )
}

function Described({ content }: { content: EntityContent }) {
  return <>The content of {visibleText(content.name)}. Apply updates the draft; Save stores it.</>
}

function Problems({ problems }: { problems: readonly SourceProblem[] }) {
  return (
    <Alert>
      {messages.failed.entityContent}
      <ul className={styles['problems']}>
        {problems.slice(0, maxProblems).map(({ path, message }, index) => (
          <li key={`${index} ${path}`}>
            {path !== '' && <code>{visibleText(path)}: </code>}
            {visibleText(message)}
          </li>
        ))}
        {problems.length > maxProblems && <li>{contentTexts.more(problems.length - maxProblems)}</li>}
      </ul>
    </Alert>
  )
}

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
