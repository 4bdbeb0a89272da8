import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { Splitter } from '../ui/Splitter.tsx'
import { panelWidths, setSidePanel, sidePanel } from './side-panel.ts'
import styles from './SidePanel.module.css'

type BesideProps = { label: string; panel: ReactNode; children: ReactNode }

/** The parts of a document, and a panel beside them, which may be null. */
export function Beside({ label, panel, children }: BesideProps) {
  const width = useStore(sidePanel, state => state.width)
  // The parts stay where they are among the elements, so that opening the panel keeps their state.
  return (
    <div className={panel === null ? styles['alone'] : styles['beside']}>
      <div className={styles['parts']}>{children}</div>
      {panel !== null && (
        <>
          <Splitter
            label={label}
            size={width}
            min={panelWidths.least}
            max={panelWidths.most}
            panel="after"
            onResize={next => setSidePanel({ width: next })}
          />
          <div className={styles['panel']} style={{ width }}>
            {panel}
          </div>
        </>
      )}
    </div>
  )
}
