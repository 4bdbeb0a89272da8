import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import type { Question, QuestionChoice, QuestionLink } from '../../workbench/confirm.ts'
import styles from './QuestionBody.module.css'

type QuestionBodyProps = { question: Question; onOpen: (document: QuestionLink['document']) => void }

/** What a question says: its text, what is affected, and what else there is to choose. */
export function QuestionBody({ question: { text, details, links = [], choice }, onOpen }: QuestionBodyProps) {
  return (
    <>
      <p>{text}</p>
      {details && (
        <ul>
          {details.map(line => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {links.length > 0 && (
        <ul className={styles['links']} aria-label="What refers to it">
          {links.map(({ document, note }) => (
            <li key={`${document.kind} ${document.id} ${note}`}>
              <Button variant="quiet" onClick={() => onOpen(document)}>
                {document.name}
              </Button>
              <span>{note}</span>
            </li>
          ))}
        </ul>
      )}
      {choice && <Choice choice={choice} />}
    </>
  )
}

function Choice({ choice: { label, options, value: first, choose } }: { choice: QuestionChoice }) {
  const [value, setValue] = useState(first)
  const change = (next: string) => {
    setValue(next)
    choose(next)
  }
  return <RadioGroup label={label} options={options} value={value} onChange={change} />
}
