import { scriptTexts } from '@cadmus/model/messages/values'
import { useEffect, useMemo, useRef } from 'react'
import { rowsInView, useRowWindow } from '../../ui/use-window.ts'
import styles from './Transfer.module.css'

const lineHeight = 18
/** Longer lines take the browser seconds to lay out. Copies and downloads are complete. */
const longestLine = 5000

/** Virtualised: only the lines in view are rendered. */
export function ScriptPreview({ script, notes }: { script: string; notes: number }) {
  const scroller = useRef<HTMLElement>(null)
  // The button that opened the preview was removed: focus the script.
  useEffect(() => scroller.current?.focus(), [])
  const view = useRowWindow(scroller)
  const lines = useMemo(() => script.replace(/\n$/, '').split('\n'), [script])
  const cut = useMemo(() => lines.filter(line => line.length > longestLine).length, [lines])
  return (
    <>
      <p className={styles['size']}>{scriptTexts.size(lines.length, new Blob([script]).size, notes)}</p>
      {cut > 0 && <p className={styles['size']}>{scriptTexts.cut(cut, longestLine)}</p>}
      {/* Focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <section ref={scroller} className={styles['script']} aria-label={scriptTexts.label} tabIndex={0}>
        <div style={{ height: lines.length * lineHeight }}>
          {rowsInView(view, lines.length, lineHeight, -1).map(at => (
            <pre key={at} style={{ top: at * lineHeight }}>
              {lines[at]?.slice(0, longestLine)}
            </pre>
          ))}
        </div>
      </section>
    </>
  )
}
