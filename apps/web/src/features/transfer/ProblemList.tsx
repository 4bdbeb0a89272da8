import type { ProblemAnswer } from '@cadmus/model/contract/problem'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/visible-text'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { problemSections, type ProblemGroup, type ProblemSection } from './problem-groups.ts'
import styles from './Transfer.module.css'

/** More would make the dialog slow, and nobody reads them before the first are mended. */
const shownProblems = 300

type ProblemListProps = { problems: readonly ProblemAnswer[]; onLeave: () => void }

/** Errors, warnings and notes by what they are about; each is a link to its place, which closes the dialog. */
export function ProblemList({ problems, onLeave }: ProblemListProps) {
  return problemSections(problems, shownProblems).map(section => (
    <Section key={section.severity} section={section} onLeave={onLeave} />
  ))
}

function Section({ section, onLeave }: { section: ProblemSection; onLeave: () => void }) {
  const { severity, count, hidden, groups } = section
  return (
    <details className={styles['report']} open={severity === 'error'}>
      <summary>{messages.problems[severity](count)}</summary>
      <ul className={styles['problems']} aria-label={messages.problems.lists[severity]}>
        {groups.map(group => (
          <Group key={group.key} group={group} onLeave={onLeave} />
        ))}
        {hidden > 0 && <li>{messages.problems.more(hidden)}</li>}
      </ul>
    </details>
  )
}

function Group({ group: { document, lines }, onLeave }: { group: ProblemGroup; onLeave: () => void }) {
  return (
    <li>
      <p className={styles['about']}>
        <DocumentLink document={document} onOpen={onLeave}>
          {document.name}
        </DocumentLink>
        {document.path !== undefined && <code>{visibleText(document.path)}</code>}
      </p>
      <ul>
        {lines.map(({ message, name, place }, at) => (
          <li key={`${at} ${message}`}>
            {name !== null && (
              <>
                <DocumentLink document={document} place={place} onOpen={onLeave}>
                  {name}
                </DocumentLink>
                :{' '}
              </>
            )}
            {visibleText(message)}
          </li>
        ))}
      </ul>
    </li>
  )
}
