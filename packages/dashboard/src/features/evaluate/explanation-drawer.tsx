import { Code, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { capitalize } from '../../parts/flag-diff/format-phrase.ts'
import { useScope } from '../../shared/scope/use-scope.ts'
import { Snippet } from '../../shared/ui/empty-state.tsx'
import { ButtonLink } from '../../shared/ui/links.tsx'
import { nameOfValue, type Question } from './describe-evaluation.ts'
import classes from './evaluate.module.css'
import { EvaluationSteps } from './evaluation-steps.tsx'
import { explainEvaluation } from './explain-evaluation.ts'
import { nameSubject } from './name-subject.ts'
import { writeRequestSnippet } from './request-snippet.ts'
import { writeSdkSnippet } from './sdk-snippet.ts'

interface ExplanationDrawerProps {
  /** Undefined: no flag is looked at. */
  readonly question: Question | undefined
  readonly onClose: () => void
}

/** The evaluation of one flag, step by step. */
export function ExplanationDrawer({ question, onClose }: ExplanationDrawerProps) {
  return (
    <Drawer
      opened={question !== undefined}
      onClose={onClose}
      position="right"
      size="lg"
      title={question && <b className={classes.any}>{question.flag.key}</b>}
    >
      {question && <Explained question={question} />}
    </Drawer>
  )
}

function Explained({ question }: { readonly question: Question }) {
  const { project_id, environment_id } = useScope()
  const { flag, subject } = question
  const explanation = explainEvaluation(question)
  const { evaluation, summary } = explanation
  const name = nameOfValue({ ...question, ...explanation })
  return (
    <Stack gap="lg">
      <div>
        <Text size="sm" mb={6} className={classes.any}>
          <b className={classes.any}>{subject.user_key || capitalize(nameSubject(subject.user_key))}</b> gets
        </Text>
        <Code block className={classes.any}>
          {evaluation.value === null
            ? 'no value: the default in the code'
            : JSON.stringify(evaluation.value, null, 2)}
        </Code>
        {name !== undefined && (
          <Text size="sm" mt="xs" className={classes.any}>
            This value is named <b>{name}</b>.
          </Text>
        )}
        <Text size="sm" mt="xs" className={classes.any}>
          {summary}
        </Text>
        <Text size="xs" c="dimmed" mt={4}>
          {evaluation.enabled ? 'Enabled' : 'Not enabled'} · reason <Code>{evaluation.reason}</Code>
        </Text>
      </div>
      {explanation.steps.length > 0 && (
        <section aria-labelledby="steps">
          <Title order={3} size="sm" id="steps" mb="sm">
            Step by step
          </Title>
          <EvaluationSteps explanation={explanation} />
        </section>
      )}
      <section aria-labelledby="in-code">
        <Title order={3} size="sm" id="in-code" mb="xs">
          In code
        </Title>
        <Snippet code={writeSdkSnippet(subject, flag)} />
      </section>
      <section aria-labelledby="as-request">
        <Title order={3} size="sm" id="as-request" mb="xs">
          As a request
        </Title>
        <Snippet code={writeRequestSnippet(subject, environment_id, flag)} />
      </section>
      <Group>
        <ButtonLink
          variant="default"
          to="/projects/$project_id/environments/$environment_id/flags/$flag_key"
          params={{ project_id, environment_id, flag_key: flag.key }}
        >
          Open the flag
        </ButtonLink>
      </Group>
    </Stack>
  )
}
