import { visibleText } from '@cadmus/model/display'
import { useState } from 'react'
import { ambiguousFolders } from '../../commands/ambiguous-folders.ts'
import { FolderPath } from '../../ui/FolderPath.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import type { Affected, Question, QuestionChoice, QuestionGroup, QuestionLink } from '../../workbench/confirm.ts'
import { hrefOf } from '../../workbench/address.ts'
import { addressedKinds, type DocumentKind } from '../../workbench/documents.ts'
import styles from './QuestionBody.module.css'

type OpenLink = (link: QuestionLink) => void

export function QuestionBody({ question, onOpen }: { question: Question; onOpen: OpenLink }) {
  const { text, lead, details = [], folder = '', consequences = [], groups = [], affected, choice } = question
  const [only, ...others] = details
  return (
    <div className={styles['body']}>
      <div>
        <p>{text}</p>
        {lead !== undefined && <p>{lead}</p>}
        {others.length === 0 && only !== undefined && <p className={styles['subject']}>{only}</p>}
        {folder !== '' && (
          <p className={styles['place']}>
            <FolderPath folder={folder} className={styles['folder']} />
          </p>
        )}
        {others.length > 0 && (
          <ul>
            {details.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        )}
      </div>
      {groups.map(group => (
        <Group key={group.heading} {...group} />
      ))}
      {consequences.length > 0 && (
        <div>
          {consequences.map(line => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {affected && <Places {...affected} onOpen={onOpen} />}
      {choice && <Choice choice={choice} />}
    </div>
  )
}

function Group({ heading, note, isDangerous, parts }: QuestionGroup) {
  return (
    <section className={styles['group']} data-dangerous={isDangerous || undefined}>
      <h3>{heading}</h3>
      <p>{note}</p>
      {/* Focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <dl tabIndex={0} aria-label={heading}>
        {parts.map(({ name, lines }) => (
          <div key={name}>
            <dt>{visibleText(name)}</dt>
            {lines.map(line => (
              <dd key={line}>{visibleText(line)}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Real links, so that Ctrl+click opens a new tab. */
function Places({ heading, links, notes, onOpen }: Affected & { onOpen: OpenLink }) {
  const documents = links.map(({ document }) => document)
  const folders = new Map<DocumentKind, ReturnType<typeof ambiguousFolders>>(
    addressedKinds.map(one => [one, ambiguousFolders(documents.filter(({ kind }) => kind === one))]),
  )
  return (
    <section className={styles['affected']}>
      <h3>{heading}</h3>
      <ul aria-label="References">
        {links.map(link => {
          const { document, note, tab } = link
          return (
            <li key={`${document.kind} ${document.id} ${note}`}>
              <a
                href={hrefOf(document, { tab })}
                onClick={event => {
                  if (event.ctrlKey || event.metaKey || event.shiftKey) return
                  event.preventDefault()
                  onOpen(link)
                }}
              >
                {document.name}
              </a>
              <Folder folder={folders.get(document.kind)?.get(document.id)} />
              <span>{note}</span>
            </li>
          )
        })}
      </ul>
      {notes.map(note => (
        <p key={note}>{note}</p>
      ))}
    </section>
  )
}

function Folder({ folder }: { folder: string | undefined }) {
  return folder === undefined ? null : <FolderPath folder={folder} className={styles['folder']} />
}

function Choice({ choice: { label, options, value: first, choose } }: { choice: QuestionChoice }) {
  const [value, setValue] = useState(first)
  const change = (next: string) => {
    setValue(next)
    choose(next)
  }
  return <RadioGroup label={label} options={options} value={value} onChange={change} />
}
