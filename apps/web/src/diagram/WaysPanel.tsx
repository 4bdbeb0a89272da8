import { visibleText } from '@cadmus/model/display'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { X } from 'lucide-react'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import styles from './Diagram.module.css'
import type { Ways } from './diagram-state.ts'
import type { DiagramStore } from './diagram-store.ts'

const { ways: texts } = viewTexts

/** The shortest ways between two entities; the chosen one is drawn in the picture. */
export function WaysPanel({ store, ways: { from, to, ways, shown } }: { store: DiagramStore; ways: Ways }) {
  const { names } = store.get().cards.scene
  const title = texts.title(names[from] ?? '', names[to] ?? '')
  const way = ways[shown]
  return (
    <section className={styles['ways']} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <IconButton label="Close" icon={X} onClick={() => store.chooseWay(null)} />
      </header>
      {ways.length === 0 && <p>{texts.none}</p>}
      <ol>
        {ways.map(({ cards }, index) => (
          <li key={cards.join(' ')}>
            <button type="button" aria-pressed={index === shown} onClick={() => store.chooseWay(index)}>
              <span className={styles['steps']}>{texts.steps(cards.length - 1)}</span>
              {cards.map(card => visibleText(names[card] ?? '')).join(' → ')}
            </button>
          </li>
        ))}
      </ol>
      {way && <Button onClick={() => store.showOnly(way.cards, title)}>{texts.only}</Button>}
    </section>
  )
}
