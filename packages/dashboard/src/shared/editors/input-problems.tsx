import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'

/** A text in a field that cannot be read yet: it is not lost, and nothing can be saved meanwhile. */
export interface InputProblem {
  /** The id of the element that is wrong, to go there. */
  readonly id: string
  readonly label: string
  readonly message: string
}

type Report = (id: string, problem: InputProblem | null) => void

const ReportContext = createContext<Report>(() => {})
const ProblemsContext = createContext<readonly InputProblem[]>([])

/** Gathers the problems of all fields inside. */
export function InputProblems({ children }: { readonly children: ReactNode }) {
  const [problems, setProblems] = useState<readonly InputProblem[]>([])
  const report = useMemo<Report>(
    () => (id, problem) =>
      setProblems((known) => {
        const others = known.filter((other) => other.id !== id)
        if (problem) return [...others, problem]
        return others.length === known.length ? known : others
      }),
    [],
  )
  return (
    <ReportContext value={report}>
      <ProblemsContext value={problems}>{children}</ProblemsContext>
    </ReportContext>
  )
}

/** The fields that cannot be read at present. */
export const useInputProblems = (): readonly InputProblem[] => useContext(ProblemsContext)

/** Reports that this field cannot be read to the form around it. Gives the id for its element. */
export function useReportProblem(label: string, message: string | undefined): string {
  const id = useId()
  const report = useContext(ReportContext)
  useEffect(() => {
    report(id, message === undefined ? null : { id, label, message })
    return () => report(id, null)
  }, [report, id, label, message])
  return id
}
