import 'reflect-metadata'
import { BurgeeProvider } from '@burgee/openfeature/server'
import { Controller, type ExecutionContext, Get, Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { BooleanFeatureFlag, OpenFeatureModule, StringFeatureFlag } from '@openfeature/nestjs-sdk'
import type { EvaluationContext, EvaluationDetails } from '@openfeature/server-sdk'
import { combineLatest, map, type Observable } from 'rxjs'

const { BURGEE_SDK_KEY: sdkKey = '', BURGEE_URL: url = 'http://localhost:3000', PORT = '4006' } = process.env

/** The user of a request: the flags of the controllers below are evaluated for it. */
function contextOf(execution: ExecutionContext): EvaluationContext {
  const { user, plan } = execution.switchToHttp().getRequest<{ query: Record<string, string> }>().query
  return { targetingKey: user ?? '', ...(plan !== undefined && { plan }) }
}

@Controller()
class ShopController {
  @Get()
  read(
    @BooleanFeatureFlag({ flagKey: 'new-checkout', defaultValue: false })
    checkout: Observable<EvaluationDetails<boolean>>,
    @StringFeatureFlag({ flagKey: 'theme', defaultValue: 'light' })
    theme: Observable<EvaluationDetails<string>>,
  ) {
    return combineLatest([checkout, theme]).pipe(
      map(([isNew, { value }]) => ({ checkout: isNew.value ? 'new' : 'old', theme: value })),
    )
  }
}

@Module({
  imports: [
    OpenFeatureModule.forRoot({
      // One provider for the whole program. It keeps all flags in memory, and changes arrive over its stream.
      defaultProvider: new BurgeeProvider({ url, sdkKey }),
      contextFactory: contextOf,
    }),
  ],
  controllers: [ShopController],
})
class AppModule {}

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] })
  // The provider sends the reports that wait at the end.
  app.enableShutdownHooks()
  await app.listen(Number(PORT), 'localhost')
  console.log(`NestJS listens on http://localhost:${PORT}`)
}

void start()
