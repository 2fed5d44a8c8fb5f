//===- UnpackLaunch.cpp - one launch becomes several ----------------------===//

#include "UnpackLaunch.h"

using namespace mlir;
using namespace mlir::fusion;

namespace {
/// Launches the parts of one composite.
class Unpacker {
public:
  Unpacker(GroupOp launch, ArrayRef<LaunchPart> parts)
      : launch(launch), parts(parts), builder(launch),
        values(launch.getInits()) {}

  UnpackedLaunch run(const LaunchPlan &plan);

private:
  void addMakers(llvm::SetVector<unsigned> &numbers) const;
  void rename(LaunchPart &part) const;
  GroupOp emitPlain(const LaunchPart &part);
  GroupOp emitPack(ArrayRef<unsigned> members);
  void setResults(unsigned number, GroupOp made, ArrayRef<unsigned> slots);

  GroupOp launch;
  ArrayRef<LaunchPart> parts;
  OpBuilder builder;
  SmallVector<Value> values;       // of each destination
  DenseMap<Value, Value> inMemory; // results of the launch that parts read
  llvm::SmallDenseSet<unsigned> launchedBefore;
};
} // namespace

/// Adds the parts that those of `numbers` read, and those that these read, but
/// for what is in memory.
void Unpacker::addMakers(llvm::SetVector<unsigned> &numbers) const {
  for (size_t i = 0; i < numbers.size(); ++i) {
    const LaunchPart &reader = parts[numbers[i]];
    llvm::SmallDenseSet<Value> read(reader.inputs.begin(), reader.inputs.end());
    for (const PartCondition &condition : reader.conditions) {
      read.insert(condition.value);
    }
    for (unsigned other = 0; other < numbers[i]; ++other) {
      bool isRead = llvm::any_of(parts[other].results, [&](Value result) {
        return read.contains(result);
      });
      if (isRead && !launchedBefore.contains(other)) {
        numbers.insert(other);
      }
    }
  }
}

void Unpacker::rename(LaunchPart &part) const {
  auto replace = [&](Value &value) {
    Value known = inMemory.lookup(value);
    value = known ? known : value;
  };
  llvm::for_each(part.inputs, replace);
  for (PartCondition &condition : part.conditions) {
    replace(condition.value);
  }
}

/// Emits the group of `part` outside of any composite.
GroupOp Unpacker::emitPlain(const LaunchPart &part) {
  SmallVector<Value> operands(part.inputs);
  GroupOp group = part.group;
  for (auto [slot, init] : llvm::zip_equal(part.slots, group.getInits())) {
    operands.push_back(
        reshapeTo(builder, group.getLoc(), values[slot], init.getType()));
  }
  Operation *clone = builder.clone(*group);
  clone->setOperands(operands);
  return cast<GroupOp>(clone);
}

/// Notes that part `number` wrote its destinations, which are those of `made`
/// in `slots`.
void Unpacker::setResults(unsigned number, GroupOp made,
                          ArrayRef<unsigned> slots) {
  for (auto [slot, own] : llvm::zip_equal(parts[number].slots, slots)) {
    values[slot] = reshapeTo(builder, made.getLoc(), made->getResult(own),
                             values[slot].getType());
    if (launchedBefore.contains(number)) {
      inMemory[launch->getResult(slot)] = values[slot];
    }
  }
}

/// Emits one launch of `members` and what they read that is not in memory.
GroupOp Unpacker::emitPack(ArrayRef<unsigned> members) {
  llvm::SetVector<unsigned> numbers(members.begin(), members.end());
  addMakers(numbers);
  SmallVector<unsigned> ordered = numbers.takeVector();
  llvm::sort(ordered);
  SmallVector<LaunchPart, 0> own;
  SmallVector<Value> inits;
  DenseMap<unsigned, unsigned> slotOf;
  std::string name;
  for (unsigned number : ordered) {
    LaunchPart part = parts[number];
    rename(part);
    for (unsigned &slot : part.slots) {
      auto [known, isNew] = slotOf.try_emplace(slot, inits.size());
      if (isNew) {
        inits.push_back(values[slot]);
      }
      slot = known->second;
    }
    name += (name.empty() ? "" : " | ") + part.group.getName().str();
    own.push_back(std::move(part));
  }
  bool isPlain = own.size() == 1 && own.front().conditions.empty();
  GroupOp made;
  if (isPlain) {
    LaunchPart part = parts[ordered.front()];
    rename(part);
    made = emitPlain(part);
  } else {
    made = createComposite(builder, launch.getLoc(), name, getLaunchKinds(own),
                           own, inits);
  }
  for (NamedAttribute attr : launch->getDiscardableAttrs()) {
    made->setAttr(attr.getName(), attr.getValue());
  }
  for (auto [number, part] : llvm::zip_equal(ordered, own)) {
    if (llvm::is_contained(members, number)) {
      SmallVector<unsigned> plain =
          llvm::to_vector(llvm::seq<unsigned>(part.slots.size()));
      setResults(number, made, isPlain ? plain : ArrayRef(part.slots));
    }
  }
  return made;
}

UnpackedLaunch Unpacker::run(const LaunchPlan &plan) {
  UnpackedLaunch unpacked;
  // What these read is in memory too.
  llvm::SetVector<unsigned> before(plan.before.begin(), plan.before.end());
  before.insert(plan.toSplit.begin(), plan.toSplit.end());
  addMakers(before);
  SmallVector<unsigned> ordered = before.takeVector();
  llvm::sort(ordered);
  launchedBefore.insert(ordered.begin(), ordered.end());
  for (unsigned number : ordered) {
    if (!llvm::is_contained(plan.toSplit, number)) {
      unpacked.launches.push_back(emitPack(number));
      continue;
    }
    LaunchPart part = parts[number];
    rename(part);
    GroupOp group = emitPlain(part);
    auto slots = llvm::to_vector(llvm::seq<unsigned>(part.slots.size()));
    setResults(number, group, slots);
    unpacked.toSplit.push_back({group, part.conditions});
  }
  for (ArrayRef<unsigned> pack : plan.packs) {
    SmallVector<unsigned> left;
    llvm::copy_if(pack, std::back_inserter(left), [&](unsigned number) {
      return !launchedBefore.contains(number);
    });
    if (!left.empty()) {
      unpacked.launches.push_back(emitPack(left));
    }
  }
  for (auto [result, value] : llvm::zip_equal(launch->getResults(), values)) {
    result.replaceAllUsesWith(value);
  }
  launch.erase();
  return unpacked;
}

UnpackedLaunch fusion::unpackLaunch(GroupOp launch, ArrayRef<LaunchPart> parts,
                                    const LaunchPlan &plan) {
  return Unpacker(launch, parts).run(plan);
}

GroupOp fusion::guardGroup(GroupOp group, ArrayRef<PartCondition> conditions) {
  if (conditions.empty()) {
    return group;
  }
  FailureOr<SmallVector<LaunchPart, 0>> parts = getLaunchParts(group);
  parts->front().conditions.assign(conditions.begin(), conditions.end());
  SmallVector<StringRef> kinds;
  for (Attribute kind : group.getKinds()) {
    kinds.push_back(cast<StringAttr>(kind).getValue());
  }
  kinds.push_back("conditional");
  OpBuilder builder(group);
  GroupOp made =
      createComposite(builder, group.getLoc(), group.getName(), kinds, *parts,
                      SmallVector<Value>(group.getInits()));
  made->setDiscardableAttrs(llvm::to_vector(group->getDiscardableAttrs()));
  group->replaceAllUsesWith(made);
  group.erase();
  return made;
}
