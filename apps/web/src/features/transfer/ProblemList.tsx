import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import { problemTexts } from '@cadmus/model/messages/values'
import { visibleText } from '@cadmus/model/display'
import { useState } from 'react'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import type { DocumentRef } from '../../workbench/documents.ts'
import {
  problemSections,
  type ProblemFold,
  type ProblemGroup,
  type ProblemSection,
} from '../../problems/problem-groups.ts'
import styles from './Transfer.module.css'

/** Maximum number of listed problems, to keep the dialog fast. */
const maxProblems = 300

type ProblemListProps = { problems: readonly ProblemAnswer[]; onLeave: () => void }

/** Errors, warnings and notes by object; links lead to their places and close the dialog. */
export function ProblemList({ problems, onLeave }: ProblemListProps) {
  return problemSections(problems, maxProblems).map(section => (
    <Section key={section.severity} section={section} onLeave={onLeave} />
  ))
}

function Section({ section, onLeave }: { section: ProblemSection; onLeave: () => void }) {
  const { severity, count, hidden, folds, groups } = section
  return (
    <details className={styles['report']} open={severity === 'error'}>
      <summary>{problemTexts[severity](count)}</summary>
      <ul className={styles['problems']} aria-label={problemTexts.lists[severity]}>
        {folds.map(fold => (
          <Fold key={fold.code} fold={fold} onLeave={onLeave} />
        ))}
        {groups.map(group => (
          <Group key={group.key} group={group} onLeave={onLeave} />
        ))}
        {hidden > 0 && <li>{problemTexts.more(hidden)}</li>}
      </ul>
    </details>
  )
}

/** Renders its content only while open: there may be hundreds of places per fold. */
function Fold({ fold, onLeave }: { fold: ProblemFold; onLeave: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <details className={styles['fold']} open={open} onToggle={event => setOpen(event.currentTarget.open)}>
        <summary>{visibleText(problemTexts.folded(fold.count, fold.unit, fold.summary))}</summary>
        {open && (
          <ul>
            {fold.groups.map(group => (
              <Places key={group.key} group={group} onLeave={onLeave} />
            ))}
            {fold.hidden > 0 && <li>{problemTexts.more(fold.hidden)}</li>}
          </ul>
        )}
      </details>
    </li>
  )
}

/** Affected rows of an entity, side by side. */
function Places({ group: { document, lines }, onLeave }: { group: ProblemGroup; onLeave: () => void }) {
  const rows = new Map(lines.flatMap(({ name, place }) => (place.row ? [[place.row.uid, { name, place }]] : [])))
  return (
    <li>
      <About document={document} onLeave={onLeave} />
      {rows.size > 0 && (
        <p className={styles['rows']}>
          {Array.from(rows, ([uid, { name, place }]) => (
            <DocumentLink key={uid} document={document} place={place} onOpen={onLeave}>
              {name}
            </DocumentLink>
          ))}
        </p>
      )}
    </li>
  )
}

function Group({ group: { document, lines }, onLeave }: { group: ProblemGroup; onLeave: () => void }) {
  return (
    <li>
      <About document={document} onLeave={onLeave} />
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

function About({ document, onLeave }: { document: DocumentRef; onLeave: () => void }) {
  return (
    <p className={styles['about']}>
      <DocumentLink document={document} onOpen={onLeave}>
        {document.name}
      </DocumentLink>
      {document.path !== undefined && <code>{visibleText(document.path)}</code>}
    </p>
  )
}
