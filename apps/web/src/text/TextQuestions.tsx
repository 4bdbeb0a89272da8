import { messages } from '@cadmus/model/messages'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import type { Doubt, TextEntity } from '@cadmus/model/text/marked-text'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { visibleText } from '@cadmus/model/display'
import type { Command } from '../commands/command.ts'
import { deleteEntityAfterQuestion, removeMemberAfterQuestion } from '../commands/deletion.ts'
import { useCommands } from '../commands/use-commands.ts'
import { Alert } from '../ui/Alert.tsx'
import { Button } from '../ui/Button.tsx'
import { tip } from '../ui/Tooltip.tsx'
import { useLatest } from '../ui/use-latest.ts'
import { createEntities } from './create-entities.ts'
import { enumerationChanges, saveTextEnumerations } from './save-enumerations.ts'
import type { OpenText } from './open-text.ts'
import styles from './TextPane.module.css'
import type { Shown } from './use-text.ts'

type TextQuestionsProps = { of: Shown; text: OpenText }

/** What the text leaves to the user: names in doubt, new and missing entities. */
export function TextQuestions({ of, text }: TextQuestionsProps) {
  const { session } = text
  const reading = useStore(session.store, state => state.reading)
  if (!reading || reading.problems.length > 0) return null
  const [doubt] = reading.doubts
  const [missing] = reading.missing
  const isEmpty = session.isSettled && session.model?.entities.length === 0
  return (
    <div className={styles['questions']}>
      {isEmpty && of.locked === null && <Alert kind="info">{paneTexts.invitation}</Alert>}
      {doubt && <Which text={text} doubt={doubt} />}
      {!doubt && of.kind === 'manifest' && reading.enumerations && <Enumerations of={of} text={text} />}
      {!doubt && reading.added.length > 0 && <Added of={of} text={text} />}
      {!doubt && missing && <Missing of={of} text={text} first={missing} all={reading.missing} />}
    </div>
  )
}

function Which({ text: { session }, doubt }: { text: OpenText; doubt: Doubt }) {
  const { from, name, candidates } = doubt
  const { doc } = session.state
  const line = doc.lineAt(Math.min(from, doc.length)).number
  return (
    <div className={styles['question']}>
      <span>{paneTexts.doubt(name, line)}</span>
      {candidates.map(candidate => (
        <Button key={candidate.uid} onClick={() => session.answer(from, candidate.uid)}>
          {visibleText(candidate.name)}
        </Button>
      ))}
      <Button onClick={() => session.answer(from, null)}>{paneTexts.isNew}</Button>
    </div>
  )
}

type CreateContext = { label: string; isOpen: boolean; create: () => void }

const createCommands: readonly Command<CreateContext>[] = [
  {
    id: 'text.create',
    label: ({ label }) => label,
    icon: Plus,
    shortcut: 'alt+enter',
    visible: ({ isOpen }) => isOpen,
    run: ({ create }) => create(),
  },
]

function Added({ of, text }: TextQuestionsProps) {
  const { session, source } = text
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const reading = useStore(session.store, state => state.reading)
  const count = reading?.added.length ?? 0

  async function create(): Promise<void> {
    if (of.kind !== 'manifest' || !reading) return
    setBusy(true)
    setFailure(await createEntities(reading, of.manifest, source))
    setBusy(false)
  }

  const label = paneTexts.create(count)
  const isOpen = of.kind === 'manifest' && of.locked === null && !isBusy
  const latest = useLatest({ create: () => void create() })
  const context = useMemo<CreateContext>(() => ({ label, isOpen, create: latest.create }), [label, isOpen, latest])
  useCommands(createCommands, context)

  return (
    <>
      {failure !== null && <Alert>{failure}</Alert>}
      <div className={styles['question']}>
        <span>{paneTexts.added(count)}</span>
        {of.kind === 'manifest' ? (
          <Button
            variant="primary"
            busy={isBusy}
            disabled={of.locked ?? false}
            onClick={() => void create()}
            {...tip(label, 'alt+enter')}
          >
            {label}
          </Button>
        ) : (
          <span>{paneTexts.createdElsewhere}</span>
        )}
      </div>
    </>
  )
}

/** They are no part of an entity's draft, so that they are saved apart. */
function Enumerations({ of, text: { session, source } }: TextQuestionsProps) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const reading = useStore(session.store, state => state.reading)
  const before = session.model?.enumerations ?? []

  async function save(): Promise<void> {
    if (of.kind !== 'manifest' || !reading) return
    setBusy(true)
    const reason = await saveTextEnumerations(reading, before, { id: of.manifest.id, source })
    setFailure(reason)
    setBusy(false)
    // The button goes with the question.
    if (reason === null) session.goTo(session.state.selection.main.head)
  }

  return (
    <>
      {failure !== null && <Alert>{failure}</Alert>}
      <div className={styles['question']}>
        <span>{paneTexts.enumerations(enumerationChanges(before, reading?.enumerations ?? before))}</span>
        <Button variant="primary" busy={isBusy} disabled={of.locked ?? false} onClick={() => void save()}>
          {paneTexts.saveEnumerations}
        </Button>
      </div>
    </>
  )
}

type MissingProps = TextQuestionsProps & { first: TextEntity; all: readonly TextEntity[] }

function Missing({ of, text: { session, source }, first, all }: MissingProps) {
  const words = paneTexts.missing(all.map(({ content }) => content.name))

  async function remove(): Promise<void> {
    const loaded = source.loaded(first.id)?.entity
    if (!loaded) return
    if (of.kind === 'entity') return deleteEntityAfterQuestion(loaded, messages.entityDeleted)
    await removeMemberAfterQuestion(loaded, of.manifest, loaded.type !== 'TEMPLATE')
  }

  return (
    <div className={styles['question']}>
      <span>{words}</span>
      <Button onClick={() => session.putBack(all)}>{paneTexts.putBack}</Button>
      <Button disabled={of.locked ?? false} onClick={() => void remove()}>
        {paneTexts.remove(first.content.name)}
      </Button>
    </div>
  )
}
