import { differences } from '@cadmus/diagram/scene'
import { signs } from '@cadmus/diagram/palette'
import { formatCount } from '@cadmus/model/display'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { comparedDiagramTexts as texts } from '@cadmus/model/messages/compared-diagram'
import { ListFilter } from 'lucide-react'
import { useStore } from 'zustand'
import { classNames } from '../ui/class-names.ts'
import { Button } from '../ui/Button.tsx'
import { ToolbarButton } from '../ui/Toolbar.tsx'
import styles from './Differences.module.css'
import type { DiagramStore } from './diagram-store.ts'
import { countsOf, showKind, shownDifferences, views } from './differences.ts'

/** What of a comparison is shown: only what differs, and in which ways. */
export function DifferencesToolbar({ store }: { store: DiagramStore }) {
  const state = useStore(store.state)
  const marked = state.cards.differences.cards
  const counts = countsOf(marked)
  const shown = shownDifferences(state)
  const isOnly = state.session.stored.uid === views.differences
  return (
    <>
      <ToolbarButton
        render={
          <Button
            variant="quiet"
            icon={ListFilter}
            aria-pressed={isOnly}
            aria-label={texts.onlyDifferences}
            className={styles['only']}
            disabled={marked.size === 0 && !isOnly && texts.noDifferences}
            onClick={() => store.show(isOnly ? views.whole : views.differences)}
          >
            <span className={styles['words']}>{texts.onlyDifferences}</span>
          </Button>
        }
      />
      {differences.map(mark => (
        <ToolbarButton
          key={mark}
          render={
            <button
              type="button"
              className={classNames(styles['kind'], styles[mark])}
              aria-label={texts.counts[mark](counts[mark])}
              aria-pressed={shown.has(mark)}
              disabled={counts[mark] === 0}
              onClick={() => showKind(store, mark, !shown.has(mark))}
            >
              <span aria-hidden className={styles['sign']}>
                {signs[mark]}
              </span>
              <span className={styles['count']}>{formatCount(counts[mark])}</span>
              <span className={styles['words']}>{handTexts.marks[mark]}</span>
            </button>
          }
        />
      ))}
    </>
  )
}
