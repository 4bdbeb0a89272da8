import type { TextProblem } from '@cadmus/model/text/marked-text'
import { paneTexts } from '@cadmus/model/messages/text-pane'
import { useStore } from 'zustand'
import { Alert } from '../ui/Alert.tsx'
import type { OpenText } from './open-text.ts'
import styles from './TextPane.module.css'
import { hasOpen } from './text-session.ts'

const maxFaults = 5

/** Whether anything can be typed into the text of a locked document. */
export function hasEditable({ model }: OpenText['session']): boolean {
  return model?.entities.some(({ isEditable }) => isEditable) ?? false
}

type TextStateProps = { text: OpenText; isReady: boolean; locked: string | null }

/** What the text is to the model, in words. */
export function TextState({ text: { session }, isReady, locked }: TextStateProps) {
  const { reading } = useStore(session.store)
  const { states } = paneTexts
  const words = () => {
    if (locked !== null && !hasEditable(session)) return locked
    if (reading === null) return states.typing
    if (reading.problems.length > 0) return states.faults(reading.problems.length)
    if (reading.doubts.length > 0) return states.undecided
    return hasOpen(reading) ? states.open : states.inStep
  }
  return <output className={styles['state']}>{isReady && words()}</output>
}

/** The faults as a list of buttons that lead to their places. */
export function Faults({ text: { session } }: { text: OpenText }) {
  const { reading, isBehind } = useStore(session.store)
  const problems = reading?.problems ?? []
  if (problems.length === 0 && !isBehind) return null
  const { doc } = session.state
  const lineOf = ({ from }: TextProblem) => doc.lineAt(Math.min(from, doc.length)).number
  return (
    <div className={styles['notes']}>
      {isBehind && <Alert kind="warning">{paneTexts.behind}</Alert>}
      {problems.length > 0 && (
        <ul aria-label={paneTexts.faults} className={styles['faults']}>
          {problems.slice(0, maxFaults).map((problem, index) => (
            <li key={`${index} ${problem.from}`}>
              <button type="button" onClick={() => session.goTo(problem.from)}>
                {paneTexts.fault(lineOf(problem), problem.message)}
              </button>
            </li>
          ))}
          {problems.length > maxFaults && <li>{paneTexts.moreFaults(problems.length - maxFaults)}</li>}
        </ul>
      )}
    </div>
  )
}
