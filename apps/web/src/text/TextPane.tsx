import { paneTexts } from '@cadmus/model/messages/text-pane'
import { FileCode, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useStore } from 'zustand'
import { setSidePanel, takeFocusDue } from '../commands/side-panel.ts'
import { useCommands } from '../commands/use-commands.ts'
import { showEditor } from '../ui/code-editor.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { onDemand } from '../ui/on-demand.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Faults, hasEditable, TextState } from './TextBars.tsx'
import styles from './TextPane.module.css'
import { isSql } from './pasted.ts'
import { manifestTextCommands } from './text-commands.ts'
import { setLocked, showProblems } from './text-editor.ts'
import type { OpenText } from './open-text.ts'
import { withoutProject } from './without-project.ts'
import { type Shown, titleOf, useText } from './use-text.ts'

const questions = onDemand(async () => (await import('./TextQuestions.tsx')).TextQuestions)

export type TextPaneProps = {
  of: Shown
  /** A text pasted elsewhere, to be shown in the empty text. */
  pasted?: string | null
  onPasted?: () => void
}

/** A model as text, both ways. */
export function TextPane({ of, pasted = null, onPasted }: TextPaneProps) {
  const { text, isReady, whyNone, failure, retry } = useText(of)
  const { name } = titleOf(of)
  const pane = useRef<HTMLElement>(null)
  useFocusReturned(pane)
  return (
    <section ref={pane} className={styles['pane']} aria-label={paneTexts.pane(name)}>
      <div className={styles['bar']}>
        <TextState text={text} isReady={isReady && whyNone === null} locked={of.locked} />
        <IconButton label={paneTexts.close} icon={X} onClick={() => setSidePanel({ [of.kind]: null })} />
      </div>
      {whyNone !== null ? (
        <EmptyState icon={FileCode} text={whyNone} />
      ) : failure !== null ? (
        <ErrorState message={failure} onRetry={retry} />
      ) : isReady ? (
        <Ready of={of} text={text} pasted={pasted} onPasted={onPasted} />
      ) : (
        <Skeleton lines={12} />
      )}
    </section>
  )
}

/** A pane that is closed returns the focus to the parts of the document. */
function useFocusReturned(pane: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = pane.current
    const article = element?.closest('article')
    return () => {
      if (!element?.contains(document.activeElement)) return
      article?.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus()
    }
  }, [pane])
}

type ReadyProps = { of: Shown; text: OpenText; pasted: string | null; onPasted: (() => void) | undefined }

function Ready({ of, text, pasted, onPasted }: ReadyProps) {
  const { session, steps } = text
  const host = useRef<HTMLDivElement>(null)
  const { locked } = of
  const isLocked = locked !== null && !hasEditable(session)
  const next = useStore(steps.store)
  const context = useMemo(() => (of.kind === 'manifest' ? { ...text, next, pane: host } : null), [of.kind, text, next])
  useCommands(manifestTextCommands, context)
  useEffect(() => {
    const element = host.current
    if (!element) return
    const view = showEditor(element, session.state, (transactions, shown) => session.update(transactions, shown))
    const detach = session.attach(view)
    if (takeFocusDue()) view.focus()
    element.addEventListener('keydown', keepLetters)
    return () => {
      element.removeEventListener('keydown', keepLetters)
      detach()
    }
  }, [session])
  useEffect(() => session.dispatch({ effects: setLocked(isLocked) }), [session, isLocked])
  const problems = useStore(session.store, ({ reading }) => reading?.problems)
  useEffect(() => {
    if (problems) session.dispatch(showProblems(session.state, problems))
  }, [session, problems])
  const paste = useEffectEvent((inserted: string) => {
    if (isSql(inserted)) text.pasteSql?.(inserted)
    else session.type(`\n${withoutProject(inserted)}`)
    onPasted?.()
  })
  useEffect(() => {
    if (pasted !== null) paste(pasted)
  }, [pasted])
  return (
    <>
      <div ref={host} className={styles['editor']} />
      <Faults text={text} />
      <questions.Component of={of} text={text} />
    </>
  )
}

/** Letters trigger no commands of the page; keys with Ctrl or Alt and function keys may. */
function keepLetters(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key)
  if (event.key !== 'Tab' && !isCommand) event.stopPropagation()
}
