# Burgee in one image: the server, its dashboard, and the embedded PostgreSQL for a single machine.
# docs/deploy/compose.md and docs/deploy/kubernetes.md describe how to run it.
FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && node scripts/build.mjs
# The server's bundle has the workspaces in it. What stays outside are libraries and the embedded PostgreSQL.
RUN npm ci --no-audit --no-fund --prefer-offline --omit=dev --workspace @burgee/server && rm -rf node_modules/@burgee
# The volume takes the owner of this folder: the account that runs the server and the embedded PostgreSQL.
RUN mkdir /data && chown 1000:1000 /data

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=build /src/LICENSE /src/THIRD-PARTY-NOTICES.md /src/packages/server/package.json ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/packages/server/migrations ./migrations
COPY --from=build /src/packages/server/public ./public
COPY --from=build /src/packages/server/dist/bundle ./dist/bundle
COPY --from=build --chown=1000:1000 /data /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --retries=3 CMD ["node", "dist/bundle/healthcheck.js"]
CMD ["node", "dist/bundle/main.js"]
